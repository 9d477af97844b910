"""Names that readers may still have in cells of their own: where each lives now, or what took its place."""

HOMES = {  # was handed on by pe_lib, and is imported from here now
    "pe_diagnosis": "Diagnosis Finding diagnose diagnose_sum",
    "pe_exercises": "check hint solution solved",
    "pe_pictures": """
        BinaryCounter Board Broadcasting Clocks ExplainThisNumber Explorer Frequencies Heatmap LookBack Rotation
        RoundingErrors Scores Similarity StackAndFlatten Training Waves Workbench explore_all explore_binary
        explore_broadcasting explore_clocks explore_frequencies explore_heatmap explore_look_back explore_number
        explore_rotation explore_rounding explore_scores explore_similarity explore_stacking explore_training
        explore_waves explore_workbench predict
    """,
}
MOVED = {name: f"Write `from {home} import {name}`." for home, names in HOMES.items() for name in names.split()} | {
    "diagnosis": "It's a package of its own now: `import pe_diagnosis`.",
    "exercises": "It's a package of its own now: `import pe_exercises`.",
    "explorers": "They live next to the pictures now: `from pe_pictures import explorers`.",
    "pictures": "It's a package of its own now: `import pe_pictures`.",
    "SideBySide": "Use `explore_workbench(matrix=...)` from pe_pictures, which marks where a matrix differs.",
    "CAT_CHASED_MOUSE": "It's `DOG_BITES_MAN` now, with the same numbers.",
    "MOUSE_CHASED_CAT": "It's `MAN_BITES_DOG` now, with the same numbers.",
    "pair_turns": "It's called `pair_speeds` now: by how many radians each hand turns from one row to the next.",
    "held": "Use `put_back(network, pairs, start)`, which puts hands back where they stood in training.",
    "offset_share": "It's called `offset_r2` now: R², as in any regression.",
    "read_off": "Fit the two matrices with `np.linalg.lstsq`, as notebook 06 does.",
    "first_rise": "Take the first index where `np.diff(dot_product(range(...), d_model))` is above 0.",
}
