// In JupyterLab: a widget, whose kernel makes the pictures.
function render({ model, el }) {
  const spec = model.get("spec");
  if (spec.question) return mountPrediction(el, spec).end;
  let view;
  const heard = (answer) => view?.answered(answer);
  model.on("msg:custom", heard);
  view = mountExplorer(el, spec, { ask: (request) => model.send(request), tell: (request) => model.send(request) });
  return () => (model.off("msg:custom", heard), view.end());
}
