"""Promise: the network learns by the gradients of its loss, alike each time, and shows what experiments.py is for.

What is trained here is held against wide ranges: the last bits of a training differ from one machine to another.
"""

import functools
import itertools

import numpy as np
import pytest

from pe_lib import (
    ENCODINGS,
    ROUTES,
    Encoding,
    Network,
    Run,
    accuracies,
    accuracy,
    by_rotation,
    rotate,
    shift_rotation,
    sinusoidal_encoding,
    train,
    which_came_first,
    word_at,
    word_before,
)
from pe_lib.experiments import CAT, MOUSE
from pe_lib.network import FREQUENCIES, cross_entropy

EVERYTHING = Encoding("everything", sinusoidal_encoding, table=5, scale=1, rotary=True, slope=0.3, offsets=3)
TASKS = {task.name: task for task in (word_before(), word_before(3), word_at(2), which_came_first())}


@functools.cache
def trained(name, task="the word before", seed=0, steps=400):
    return train(Run(name, TASKS[task], seed=seed, steps=steps))


# ------------------------------------------------------------------ gradients


@pytest.mark.parametrize("start", [0, 7])
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("encoding", [*ENCODINGS.values(), EVERYTHING], ids=lambda encoding: encoding.name)
def test_every_gradient_is_the_slope_of_the_loss(encoding, task, start):
    rng = np.random.default_rng(1)
    network = Network(encoding, whole=TASKS[task].whole, dtype=np.float64)
    for parameter in network.parameters.values():
        parameter += rng.normal(scale=0.3, size=parameter.shape)  # learned offsets begin at 0, where mistakes hide
    words, answers = TASKS[task].sentences(rng, 4, 9)
    loss, gradients = network.gradients(words, answers, start)
    assert gradients.keys() == network.parameters.keys()
    assert loss == cross_entropy(network.forward(words, start).logits, answers)[0]
    for name, gradient in gradients.items():
        parameter = network.parameters[name]
        direction = rng.normal(size=parameter.shape)
        before, losses = parameter.copy(), []
        for step in (1e-6, -1e-6):
            parameter[:] = before + step * direction
            losses.append(network.gradients(words, answers, start)[0])
        parameter[:] = before
        assert (losses[0] - losses[1]) / 2e-6 == pytest.approx((gradient * direction).sum(), rel=1e-5, abs=1e-7), name


def test_each_single_number_of_a_gradient_is_right_too():
    words, answers = word_before().sentences(np.random.default_rng(2), 2, 8)
    network = Network(EVERYTHING, dtype=np.float64)
    _, gradients = network.gradients(words, answers)
    for name, index in (("table", (3, 4)), ("offsets", (3,)), ("embedding", (words[0, 0], 5)), ("query", (2, 30))):
        parameter, losses = network.parameters[name], []
        for step in (1e-6, -2e-6):
            parameter[index] += step
            losses.append(network.gradients(words, answers)[0])
        parameter[index] += 1e-6
        assert (losses[0] - losses[1]) / 2e-6 == pytest.approx(gradients[name][index], rel=1e-4, abs=1e-7), name


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_everything_is_computed_in_one_type(dtype):
    network = Network(EVERYTHING, dtype=dtype)
    words, answers = word_before().sentences(np.random.default_rng(0), 2, 40)
    arrays = [*network.forward(words), *network.gradients(words, answers)[1].values(), *network.parameters.values()]
    assert {array.dtype for array in arrays} == {np.dtype(dtype)}


# ------------------------------------------------------------------ the forward pass


def test_the_forward_pass_is_attention_as_it_is_written_down():
    network = Network(EVERYTHING, dtype=np.float64)
    network.parameters["offsets"][:] = [0, 0, 0.5, -1, 2]
    p, words = network.parameters, np.array([3, 1, 4, 1, 5, 9, 2])
    x = p["embedding"][words] + sinusoidal_encoding(7, 32) + p["table"][[0, 1, 2, 3, 4, 0, 1]]
    for t in range(7):
        query = x[t] @ p["query"] @ shift_rotation(t, 32)
        keys = [x[s] @ p["key"] @ shift_rotation(s, 32) for s in range(t + 1)]
        bias = [-0.3 * (t - s) + [0.5, -1, 2][min(t - s, 2)] for s in range(t + 1)]
        scores = np.array(keys) @ query / np.sqrt(32) + bias
        shares = np.exp(scores) / np.exp(scores).sum()
        expected = shares @ (x[: t + 1] @ p["value"]) @ p["output"]
        assert np.allclose(network.forward([words]).logits[0, t], expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", ["none", "RoPE", "ALiBi", "bias"])
def test_what_sees_offsets_alone_does_not_see_where_a_sentence_starts(name):
    network = Network(name, dtype=np.float64)
    words, _ = word_before().sentences(np.random.default_rng(0), 2, 20)
    assert np.allclose(network.forward(words).logits, network.forward(words, start=1000).logits, atol=1e-9)


@pytest.mark.parametrize("name", ENCODINGS)
def test_no_place_sees_what_comes_after_it_unless_one_answer_is_given_for_the_whole(name):
    words, _ = word_before().sentences(np.random.default_rng(0), 1, 12)
    other = words.copy()
    other[0, 8:] = (other[0, 8:] + 1) % 12
    one, two = (Network(name).forward(sentence).logits[0] for sentence in (words, other))
    assert np.allclose(one[:8], two[:8])
    assert not np.allclose(one[8:], two[8:])
    attention = Network(name, whole=True).forward(words).attention
    assert (attention > 0).all()
    assert np.allclose(attention.sum(axis=-1), 1, atol=1e-6)


def test_behind_its_last_row_a_learned_table_comes_again_and_rows_never_trained_stay_as_they_began():
    assert np.array_equal(Network("learned").rows(np.arange(32, 70)), Network("learned").rows(np.arange(38)))
    long = Encoding("learned", table=50, scale=0.3)
    began, run = Network(long), Run(long, steps=30)
    for _ in run:
        pass
    assert np.array_equal(run.network.parameters["table"][32:], began.parameters["table"][32:])
    assert not np.isclose(run.network.parameters["table"][:32], began.parameters["table"][:32]).any(axis=1).all()
    assert began.parameters["table"].std() == pytest.approx(0.3, rel=0.1)


# ------------------------------------------------------------------ tasks


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_task_asks_for_what_its_name_says(task):
    words, answers = task.sentences(np.random.default_rng(0), 6, 10)
    assert words.shape == (6, 10)
    assert 0 <= words.min() <= words.max() < 12
    for sentence, answer in zip(words.tolist(), answers.tolist(), strict=True):
        if task.whole:
            assert sorted(sentence.count(word) for word in (CAT, MOUSE)) == [1, 1]
            assert answer == (CAT if sentence.index(CAT) < sentence.index(MOUSE) else MOUSE)
        elif task.name == "the word at place 2":
            assert answer == [-1, -1] + 8 * [sentence[2]]
        else:
            k = 3 if "3" in task.name else 1
            assert answer == k * [-1] + sentence[:-k]


def test_which_came_first_asks_about_each_sentence_both_ways():
    words, answers = which_came_first().sentences(np.random.default_rng(0), 8, 12)
    exchanged = np.select([words == CAT, words == MOUSE], [MOUSE, CAT], words)
    assert np.array_equal(words[4:], exchanged[:4])
    assert sorted(answers[:4] + answers[4:]) == [CAT + MOUSE] * 4


# ------------------------------------------------------------------ training


def test_the_same_seed_gives_the_same_run_and_another_one_another():
    first, same, other = (train(Run("bias", seed=seed, steps=40)) for seed in (3, 3, 4))
    for one, two in zip(first.moments, same.moments, strict=True):
        assert one[:3] == two[:3]
        assert np.array_equal(one.attention, two.attention)
    assert accuracy(first, [40]) == accuracy(same, [40])
    assert first.moments[-1].loss != other.moments[-1].loss
    assert np.array_equal(first.example, other.example)  # the same sentence to look at


def test_a_run_can_be_watched_stopped_and_gone_on_with():
    whole = train(Run("RoPE", steps=60))
    run = Run("RoPE", steps=60)
    assert [moment.step for moment in itertools.islice(run, 21)] == list(range(21))
    assert (run.step, len(run.moments)) == (20, 21)
    assert accuracy(run, [40])[40] < 1  # a run that was stopped can be tested
    assert [moment.step for moment in run] == list(range(21, 61))
    assert [moment[:3] for moment in run.moments] == [moment[:3] for moment in whole.moments]
    assert list(run) == []


def test_what_is_recorded_can_be_chosen_and_is_a_copy_of_its_moment():
    run = train(Run(record=[0, 3, 90], steps=90, length=20))
    assert [moment.step for moment in run.moments] == [0, 3, 90]
    first, _, last = (moment.attention for moment in run.moments)
    assert first.shape == (20, 20)
    assert np.array_equal(last, run.network.forward([run.example]).attention[0])
    assert not np.allclose(first, last, atol=0.1)
    assert len(train(Run(steps=7)).moments) == 8
    assert len(Run(steps=1500).record) == 61


def test_one_step_of_adam_moves_every_number_that_has_a_gradient_by_the_rate():
    run = Run("sinusoidal", steps=1)
    before = {name: values.copy() for name, values in run.network.parameters.items()}
    words, answers = word_before().sentences(np.random.default_rng((0, 0)), 32, 32)
    _, gradients = run.network.gradients(words, answers)
    train(run)
    for name, gradient in gradients.items():
        large = np.abs(gradient) > 1e-5
        moved = run.network.parameters[name] - before[name]
        assert np.allclose(moved[large], -3e-3 * np.sign(gradient[large]), rtol=0.01)
        assert large.any()


def test_random_starts_are_random_and_all_others_begin_at_0(monkeypatch):
    starts = []
    real = Network.gradients

    def watched(self, words, answers, start):
        starts.append(start)
        return real(self, words, answers, start)

    monkeypatch.setattr(Network, "gradients", watched)
    train(Run("random starts", steps=60))
    assert len(set(starts)) > 30
    assert 0 <= min(starts) < 50 < 150 < max(starts) <= 224
    starts.clear()
    train(Run("sinusoidal", steps=3))
    assert starts == [0, 0, 0]


# ------------------------------------------------------------------ what comes out


def test_without_an_encoding_a_causal_head_guesses_better_than_chance_and_no_more():
    assert 0.2 < trained("none").moments[-1].accuracy < 0.35
    assert trained("none").moments[0].accuracy < 0.2
    assert 0.09 < accuracy(trained("none"), [64])[64] < 0.22


@pytest.mark.parametrize("name", ["sinusoidal", "learned", "RoPE", "bias", "random starts"])
def test_with_an_encoding_it_learns_the_word_before(name):
    last = trained(name).moments[-1]
    assert last.accuracy > 0.97
    assert last.loss < 0.1
    assert np.mean(last.attention[1:].argmax(axis=1) == np.arange(31)) > 0.8  # it looks one place back


@pytest.mark.parametrize(
    ("name", "at_40", "at_256"),
    [
        ("sinusoidal", (0.1, 0.55), (0.05, 0.2)),
        ("learned", (0.03, 0.2), (0.05, 0.2)),
        ("RoPE", (0.75, 1), (0.15, 0.8)),
        ("ALiBi", (0.9, 1), (0.9, 1)),
        ("bias", (0.85, 1), (0.4, 0.95)),
        ("random starts", (0.9, 1), (0.5, 1)),
    ],
)
def test_how_far_it_reaches_beyond_the_32_words_of_its_training(name, at_40, at_256):
    shares = accuracy(trained(name), [40, 256])
    assert at_40[0] < shares[40] <= at_40[1]
    assert at_256[0] < shares[256] <= at_256[1]


def test_counting_all_positions_hides_what_counting_beyond_shows():
    run = trained("sinusoidal")
    assert accuracy(run, [40], beyond=0)[40] > 0.75 > 0.55 > accuracy(run, [40])[40]
    assert accuracy(run, [32], beyond=0)[32] > 0.97


def test_without_order_which_came_first_is_one_in_two_exactly():
    run = trained("none", "which came first", steps=100)
    assert {moment.accuracy for moment in run.moments if moment.step > 20} == {0.5}
    assert accuracy(run, [32, 64]) == {32: 0.5, 64: 0.5}


def test_with_an_encoding_it_can_tell_which_came_first():
    assert trained("RoPE", "which came first", steps=600).moments[-1].accuracy > 0.8


def test_what_depends_on_offsets_alone_does_not_find_a_place_from_the_front():
    assert trained("sinusoidal", "the word at place 2", steps=300).moments[-1].accuracy > 0.9
    assert trained("RoPE", "the word at place 2", steps=300).moments[-1].accuracy < 0.6


# ------------------------------------------------------------------ a function of one's own


def test_a_function_of_ones_own_is_an_encoding_like_the_others():
    assert train(Run(by_rotation, steps=40)).moments[-1].loss == pytest.approx(
        train(Run("sinusoidal", steps=40)).moments[-1].loss, rel=1e-3
    )
    for route in ROUTES.values():
        assert Network(route).encoding.name == route.__name__
    assert Network(lambda length, d_model: [[pos] * d_model for pos in range(length)]).rows(np.arange(3))[2, 0] == 2
    assert Network(lambda *shape: np.ones(shape, np.float16)).rows(np.arange(3)).sum() == 96  # with no overflow


@pytest.mark.parametrize("size", [0, 3, 1e6])
def test_however_large_its_numbers_are_training_stays_finite(size):
    def rows(length, d_model):
        return size * np.random.default_rng(0).uniform(-1, 1, size=(length, d_model))

    run = train(Run(rows, steps=30))
    assert np.isfinite([moment.loss for moment in run.moments]).all()
    assert 0 <= accuracy(run, [40])[40] <= 1


def test_rows_that_depend_on_the_length_are_asked_for_at_each_length():
    def share(length, d_model):
        return np.repeat(np.arange(length) / length, d_model).reshape(length, d_model)

    network = Network(share)
    assert network.rows(np.arange(4))[1, 0] == 0.25
    assert network.rows(np.arange(10))[1, 0] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (lambda *_: np.zeros((32, 32)), r"must return an array of shape \(1, 32\), got \(32, 32\)"),
        (lambda length, d_model: np.zeros((d_model, length)), r"must return .* of shape \(1, 32\), got \(32, 1\)"),
        (lambda length, d_model: np.full((length, d_model), np.nan), "must be finite, got nan"),
        (lambda length, d_model: np.full((length, d_model), 1e300), "must return numbers up to 1000000, got 1e"),
        (lambda length, d_model: np.ones((40, d_model))[np.arange(length)], r"300, 32\) must take any length, but"),
        (lambda length: np.ones((length, 32)), "must take any length, but raised TypeError"),
    ],
)
def test_rows_that_will_not_do_are_refused_at_the_door(rows, sentence):
    with pytest.raises(ValueError, match=sentence):
        Run(rows)


@pytest.mark.parametrize("given", [None, "rows", np.zeros((2, 2), bool), np.zeros((2, 2), complex)])
def test_rows_that_are_no_numbers_are_refused_too(given):
    with pytest.raises(TypeError, match="must be an array of real numbers"):
        Network(lambda *_: given)


def test_accuracies_are_those_of_a_run_for_each_seed():
    found = accuracies("none", [16, 24], seeds=[1, 2], steps=3, length=16, task=word_before(2))
    for seed, shares in zip((1, 2), found, strict=True):
        run = train(Run("none", word_before(2), length=16, steps=3, seed=seed))
        assert shares == accuracy(run, [16], beyond=0) | accuracy(run, [24], beyond=16)
    assert found[0] != found[1]
    assert accuracies("none", 16, seeds=[1], steps=3, length=16, task=word_before(2)) == [{16: found[0][16]}]


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: Run("rope"), ValueError, "encoding must be one of 'none', 'sinusoidal', .*, got 'rope'"),
        (lambda: Run(None), TypeError, "encoding must be one of 'none', .* or a function .*, got None"),
        (lambda: Run(sinusoidal_encoding(32, 32)), TypeError, "encoding must be one of"),
        (lambda: Run("RoPE", "the word before"), TypeError, "task must be a Task, such as word_before"),
        (lambda: Run("RoPE", word_before), TypeError, "task must be a Task, such as word_before"),
        (lambda: Run(length=1), ValueError, "length must be an integer of at least 2, got 1"),
        (lambda: Run(length=32.0), TypeError, "length must be an integer of at least 2, got 32.0"),
        (lambda: Run(length=10**7), ValueError, r"a table of .* is larger than 2\*\*28"),
        (lambda: Run(task=word_before(32)), ValueError, "length must leave something to ask of 'the word 32 places"),
        (lambda: Run(task=word_at(40)), ValueError, "length must leave something to ask of 'the word at place 40'"),
        (lambda: Run(steps=0), ValueError, "steps must be a positive integer, got 0"),
        (lambda: Run(steps=1.5), TypeError, "steps must be a positive integer"),
        (lambda: Run(seed=-1), ValueError, "seed must be an integer of 0 or more, got -1"),
        (lambda: Run(seed="a"), TypeError, "seed must be an integer of 0 or more"),
        (lambda: Run(record=[700]), ValueError, "record must lie between 0 and steps = 600, got 700"),
        (lambda: Run(record=[-1]), ValueError, "record must be an integer of 0 or more, got -1"),
        (lambda: Run(record=[0.5]), TypeError, "record must be an integer of 0 or more"),
        (lambda: word_before(0), ValueError, "k must be a positive integer, got 0"),
        (lambda: word_at(-1), ValueError, "place must be an integer of 0 or more, got -1"),
        (lambda: accuracy(Run(), [32]), ValueError, "length must leave something to ask .* from position 32, got 32"),
        (lambda: accuracy(Run(), [40], beyond=-1), ValueError, "beyond must be an integer of 0 or more, got -1"),
        (lambda: accuracies("none", ["32"]), TypeError, "a length must be an integer of at least 2"),
        (lambda: accuracy(Run(), [4.5]), TypeError, "length must be an integer of at least 2"),
        (lambda: Encoding("mine", rows=3), TypeError, "rows must be a function"),
        (lambda: Encoding("mine", table=-1), ValueError, "table must be an integer of 0 or more, got -1"),
        (lambda: Encoding("mine", offsets=1.5), TypeError, "offsets must be an integer of 0 or more"),
        (lambda: Encoding("mine", slope=-1), ValueError, "slope must be 0 or more, got -1"),
        (lambda: Encoding("mine", scale=np.inf), ValueError, "scale must be a finite number, got inf"),
        (lambda: Network(dtype="float16"), ValueError, "dtype must be float32 or float64, got float16"),
        (lambda: Network().forward([1, 2]), ValueError, r"words must be integers from 0 to 11 of shape \(B, L\)"),
        (lambda: Network().forward([[1, 12]]), ValueError, "words must be integers from 0 to 11"),
        (lambda: Network().forward([[-1, 1]]), ValueError, "words must be integers from 0 to 11"),
        (lambda: Network().forward([["I", "like"]]), ValueError, "words must be integers from 0 to 11"),
        (lambda: Network().forward([[1]], start=-1), ValueError, "start must be an integer of 0 or more, got -1"),
        (lambda: Network().gradients([[1, 2]], [[-1, -1]]), ValueError, r"answers must have shape \(1, 2\) and ask"),
        (lambda: Network().gradients([[1, 2]], [1, 2]), ValueError, r"answers must have shape \(1, 2\)"),
    ],
)
def test_a_wrong_argument_is_met_by_one_sentence(call, kind, sentence):
    with pytest.raises(kind, match=sentence) as caught:
        call()
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)


def test_an_encoding_is_shown_alike_each_time():
    assert repr(Encoding("mine", by_rotation, offsets=2)) == repr(Encoding("mine", lambda *_: 0, offsets=2))


def test_the_network_turns_as_rotary_position_embedding_does():
    network = Network("RoPE", dtype=np.float64)
    x = np.random.default_rng(3).normal(size=(2, 9, 2 * len(FREQUENCIES)))
    positions = np.arange(20, 29)
    assert np.allclose(network.turned(x, positions), rotate(x, positions), rtol=0, atol=1e-12)
