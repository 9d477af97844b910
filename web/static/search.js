// Search in the sections of all pages: what has the rare words of a query in its title comes first.
const ALSO = { vit: "image", vision: "image", "2d": "dimension", patch: "image", sine: "sin", sines: "sin", cosine: "cos", learnt: "learned" };
const FEW = new Set("a an and are as at be by do does for from how i in is it my not of on or our the to was we what which why with you".split(" "));
const wordsIn = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const stem = (word) => (word.length > 4 ? word.replace(/(ings?|ed|es|s|e)$/, "") : word.length > 3 ? word.replace(/s$/, "") : word);

const rows = SECTIONS.map(([address, page, title, text]) => ({
  address, page, title, text, words: [title, text, page].map((said) => wordsIn(said).map(stem)),
}));

// How well a section answers: for each word that it has, how rare that is, times where it stands.
function found(query) {
  const asked = wordsIn(query), telling = asked.filter((word) => !FEW.has(word)).length || asked.length;
  const hits = asked.map((word) => {
    const stems = [stem(word), ...(ALSO[word] ? [ALSO[word]] : [])], few = FEW.has(word) && telling < asked.length;
    const fits = (one) => stems.some((part) => one === part || (!few && part.length > 3 && one.startsWith(part)));
    const where = rows.map(({ words }) => words.map((list) => list.filter(fits).length));
    const rare = Math.log(1 + rows.length / (1 + where.filter((counts) => counts.some(Boolean)).length));
    return where.map(([title, text, page]) => ({
      few, any: title || text || page, worth: (few ? 0.5 : 1) * rare * (5 * !!title + Math.min(text, 4) / (few ? 8 : 2) + !!page),
    }));
  });
  const phrase = wordsIn(query).join(" ");
  const scored = rows.map((row, k) => {
    const own = hits.map((each) => each[k]), named = wordsIn(row.title);
    const whole = phrase && named.join(" ").includes(phrase) ? 10 : 0;
    const score = own.reduce((sum, { worth }) => sum + worth, 0) / Math.sqrt(4 + named.length) + whole;
    return { ...row, score, all: own.filter(({ few, any }) => !few && any).length };
  });
  const most = Math.max(...scored.map(({ all }) => all)), least = most > 2 ? most - 1 : most;
  for (const row of scored) row.score *= (row.all / most) ** 2;
  return scored.filter(({ all }) => most && all >= least).sort((one, other) => other.score - one.score);
}

function piece(text, query) { // around the first word that was asked for, which stands out
  const stems = wordsIn(query).filter((word) => !FEW.has(word)).map((word) => stem(word).replace(/[^\p{L}\p{N}]/gu, ""));
  const at = Math.max(0, stems.length ? text.search(new RegExp(`(?<![\\p{L}])(${stems.join("|")})`, "iu")) : 0);
  const from = at < 80 ? 0 : text.indexOf(" ", at - 80) + 1, part = text.length < from + 240 ? text.slice(from) : text.slice(from, text.lastIndexOf(" ", from + 240)) + " …";
  const shown = document.createElement("p");
  const parts = stems.length ? part.split(new RegExp(`((?<![\\p{L}])(?:${stems.join("|")})[\\p{L}]*)`, "iu")) : [part];
  shown.append(from ? "… " : "", ...parts.map((said, k) => (k % 2 ? Object.assign(document.createElement("mark"), { textContent: said }) : said)));
  return shown;
}

const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
for (const box of document.querySelectorAll("input[name=q]")) box.value = query;
const all = query ? found(query) : [];
document.getElementById("found").textContent = !query
  ? "Type a word or a question, such as KV cache."
  : all.length ? `${all.length === 1 ? "One place" : `${all.length} places`} for “${query}”` : `Nothing here has “${query}”. Try fewer words, or another one.`;
for (const { address, page, title, text } of all.slice(0, 30)) {
  const link = Object.assign(document.createElement("a"), { href: address, textContent: title });
  const item = document.createElement("li");
  item.append(link, title === page ? "" : ` · ${page}`, piece(text, query));
  document.getElementById("results").append(item);
}
