// The lab extension of reflex-magic, for JupyterLab 4 and Notebook 7: replaces the source of a cell, by its id,
// if the cell still reads as expected. Written by hand as the container that module federation expects;
// there is nothing to build and nothing of others in it.
//
// Two ways to ask:
// - a DOM event `reflex-magic:replace` from within the notebook, with {cellId, base, text, force} as detail;
//   the answer is put into detail.result before dispatchEvent returns. Needs no kernel.
// - a comm to the target `reflex-magic`, opened by the notebook's kernel with the same data; the answer is sent back.
// The answer is {ok, how, previous} or {ok: false, why}, why being "conflict", "no cell" or "read-only".
//
// When a notebook is opened whose review widgets belong to a kernel that is gone, JupyterLab would say "model not
// found" in their place; their view is taken out of the output, and the static record beside it shows.
(() => {
  const NAME = "reflex-magic";

  /** The cell, in the notebook that holds `target`, else in any open notebook. */
  function locate(panels, target, cellId) {
    const near = panels.filter((panel) => target && panel.node.contains(target));
    for (const panel of [...near, ...panels]) {
      const cell = panel.content.widgets.find((c) => (cellId ? c.model.id === cellId : target && c.node.contains(target)));
      if (cell) return cell;
    }
    return null;
  }

  function replace(panels, target, { cellId, base, text, force }) {
    const cell = locate(panels, target, cellId);
    if (!cell) return { ok: false, why: "no cell" };
    const { model } = cell;
    if (model.getMetadata("editable") === false) return { ok: false, why: "read-only" };
    const shared = model.sharedModel;
    const previous = shared.getSource();
    if (!force && previous !== base) return { ok: false, why: "conflict" };
    // A step of its own in the undo history: one Ctrl-Z brings the source back.
    shared.undoManager?.stopCapturing?.();
    shared.setSource(text);
    shared.undoManager?.stopCapturing?.();
    return { ok: true, how: "extension", previous };
  }

  function serveComms(panel) {
    const register = () => {
      const kernel = panel.sessionContext.session?.kernel;
      if (!kernel?.handleComms) return;
      kernel.registerCommTarget(NAME, (comm, message) => {
        const answer = (data) => comm.send(replace([panel], null, data));
        comm.onMsg = (next) => answer(next.content.data);
        if (message.content.data?.text != null) answer(message.content.data);
      });
    };
    panel.sessionContext.ready.then(register);
    panel.sessionContext.kernelChanged.connect(register);
  }

  const RECORD = "application/vnd.reflex-magic+json";
  const VIEW = "application/vnd.jupyter.widget-view+json";

  async function showRecords(panel) {
    await panel.context.ready;
    await panel.sessionContext.ready;
    const kernel = panel.sessionContext.session?.kernel;
    const info = kernel ? await kernel.requestCommInfo({ target_name: "jupyter.widget" }) : null;
    const alive = info?.content.comms ?? {};
    const { model } = panel.context;
    const { dirty } = model;
    for (const { outputs } of model.cells) {
      for (let i = 0; i < (outputs?.length ?? 0); i++) {
        const { [VIEW]: view, ...data } = outputs.get(i).data;
        if (view && data[RECORD] && !(view.model_id in alive)) outputs.set(i, { ...outputs.get(i).toJSON(), data });
      }
    }
    model.dirty = dirty;
  }

  const plugin = (token) => ({
    id: `${NAME}:cell`,
    description: "Replaces the source of reviewed cells; shows the record of reviews whose kernel is gone.",
    autoStart: true,
    requires: [token],
    activate: (app, tracker) => {
      const panels = () => {
        const found = [];
        tracker.forEach((panel) => { found.push(panel); });
        return found;
      };
      document.addEventListener("reflex-magic:replace", (event) => {
        event.detail.result = replace(panels(), event.target, event.detail);
      });
      const opened = (panel) => {
        serveComms(panel);
        showRecords(panel).catch((error) => console.warn(`${NAME}: ${error}`));
      };
      tracker.forEach(opened);
      tracker.widgetAdded.connect((_, panel) => opened(panel));
      document.documentElement.dataset.reflexMagic = "1"; // read by the widget
    },
  });

  let scope = null;
  const shared = async (name) => {
    const [version] = Object.values(scope[name]);
    return (await version.get())();
  };

  (window._JUPYTERLAB ??= {})[NAME] = {
    init: (given) => { scope = given; },
    get: async () => {
      const { INotebookTracker } = await shared("@jupyterlab/notebook");
      const module = { __esModule: true, default: plugin(INotebookTracker) };
      return () => module;
    },
  };
})();
