// Save a picture as it is, as a PNG in light colours with twice as many pixels as its sheet has units.
async function savePicture(picture, [wide, high], name) {
  const rules = [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule).map((rule) => rule.cssText);
    } catch {
      return []; // a style sheet from elsewhere: then the words have the system's letters
    }
  });
  const layers = [...picture.querySelectorAll("svg")].map((layer) => layer.outerHTML).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * wide}" height="${2 * high}" viewBox="0 0 ${wide} ${high}">
    <style>${[...new Set(rules)].join("")}${RULES}</style><rect width="100%" height="100%" class="f-paper"/><g class="touched">${layers}</g></svg>`;
  const image = Object.assign(new Image(), { src: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) });
  await image.decode();
  const canvas = h("canvas", { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  h("a", { href: canvas.toDataURL(), download: `${name}.png` }).click();
  URL.revokeObjectURL(image.src);
}
