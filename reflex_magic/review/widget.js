// The review in a notebook. Draws what the kernel worked out (`view`), changes the cell on a click,
// and tells the kernel what was decided. The order of things is described in widget.py.
// Text reaches the page through textContent only.

function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value != null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== ""));
  return node;
}

/** Text with what stands between backticks as code. */
function prose(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, i) => (i % 2 ? h("code", {}, part) : part));
}

const line = (text, name) => (text ? h("div", { class: name }, prose(text)) : null);

// -- the cell ----------------------------------------------------------------------------------

/** Through the lab extension: finds the cell by id, also when it is collapsed or was moved. */
function throughExtension(el, request) {
  const detail = { ...request, result: null };
  el.dispatchEvent(new CustomEvent("reflex-magic:replace", { bubbles: true, composed: true, detail }));
  return detail.result ?? { ok: false, why: "no extension" };
}

/** Through the editor in the page, where the extension is missing. CodeMirror 6 keeps its view on the node. */
function throughEditor(el, { base, text, force }) {
  const content = el.closest(".jp-Cell")?.querySelector(".jp-InputArea-editor .cm-content");
  const view = (content?.cmTile ?? content?.cmView)?.view;
  if (!view) return { ok: false, why: "no editor" };
  const previous = view.state.doc.toString();
  if (!force && previous !== base) return { ok: false, why: "conflict" };
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input.reflex" });
  return { ok: true, how: "editor", previous };
}

/** Replace the cell's source `base` by `text`; `force` does so whatever it reads. */
function replace(el, cellId, base, text, force = false) {
  const request = { cellId, base, text, force };
  const result = throughExtension(el, request);
  if (result.ok || result.why === "conflict") return result;
  const other = throughEditor(el, request);
  return other.ok || other.why === "conflict" ? other : { ok: false, why: "manual" };
}

// -- the difference ----------------------------------------------------------------------------

const code = (pieces) =>
  h("pre", { dir: "ltr" }, pieces.map(([text, kind, changed]) => {
    const span = kind ? h("span", { class: `rx-t-${kind}` }, text) : text;
    return changed ? h("mark", {}, span) : span;
  }));

const number = (n) => h("td", { class: "rx-number" }, n == null ? "" : String(n));
const SIGNS = { del: ["−", "removed"], add: ["+", "added"], same: ["", null] };

function unifiedRow(kind, side) {
  const [sign, label] = SIGNS[kind];
  return h("tr", { class: `rx-${kind}` }, number(side[0]),
    h("td", { class: "rx-sign", "aria-label": label }, sign), h("td", {}, code(side[1])));
}

function unifiedRows(rows) {
  const out = [];
  let block = [];
  const close = () => {
    out.push(...block.filter((r) => r.old).map((r) => unifiedRow("del", r.old)));
    out.push(...block.filter((r) => r.new).map((r) => unifiedRow("add", r.new)));
    block = [];
  };
  for (const row of rows) {
    if (row.changed) block.push(row);
    else { close(); out.push(unifiedRow("same", row.new)); }
  }
  close();
  return out;
}

function splitRow(row) {
  const cells = [["old", "del"], ["new", "add"]].map(([side, kind]) => {
    const look = !row.changed ? "same" : row[side] ? kind : "none";
    const label = row.changed && row[side] ? SIGNS[kind][1] : null;
    return [number(row[side]?.[0]), h("td", { class: `rx-${look}`, "aria-label": label }, row[side] ? code(row[side][1]) : "")];
  });
  return h("tr", {}, cells);
}

/** Groups of rows as a table; unchanged stretches open on a click. */
function difference({ groups, cut }, split) {
  const bodies = groups.map(({ shown, rows }) => {
    const body = h("tbody", {});
    const open = () => body.replaceChildren(...(split ? rows.map(splitRow) : unifiedRows(rows)));
    if (shown) open();
    else {
      const label = `${rows.length} unchanged lines`;
      body.append(h("tr", { class: "rx-gap" }, h("td", { colspan: 4 },
        h("button", { type: "button", class: "rx-link", onclick: open }, `… ${label}`))));
    }
    return body;
  });
  const rest = cut ? h("caption", {}, `${cut} more lines are not shown`) : null;
  return h("table", { class: `rx-difference ${split ? "rx-split" : ""}` }, rest, bodies);
}

// -- the parts ---------------------------------------------------------------------------------

const MARKS = { holds: "✓", fails: "✗", unknown: "?" };

const found = (items) =>
  h("ul", { class: "rx-found", "aria-label": "What was found" },
    items.map((f) => h("li", {}, prose(f.message), f.place ? h("span", { class: "rx-quiet" }, ` · ${f.place}`) : "")));

const proof = (view, offer) =>
  h("ul", { class: "rx-proof", "aria-label": "What was checked" },
    h("li", { class: `rx-${offer.verdict}` }, prose([offer.verdict, ...offer.reasons.slice(0, 1)].join(": "))),
    offer.best ? view.held.map((c) => h("li", { class: `rx-${c.mark}` }, `${MARKS[c.mark]} `, prose(c.text)))
      : offer.reasons.slice(1).map((reason) => h("li", {}, prose(reason))));

const attempt = (o) => line(`${o.title} (${o.origin}): ${[o.verdict, ...o.reasons].join("; ")}`, "rx-item");

function evidence(view, offer) {
  const told = [["Symptom", offer?.symptom], ["Cause", offer?.root_cause], ["Change", offer?.change]];
  const items = [
    ...told.filter(([, text]) => text).map(([label, text]) => line(`${label}: ${text}`, "rx-item")),
    ...view.found.filter((f) => f.evidence || f.suggestion).map((f) =>
      h("div", { class: "rx-item" }, h("b", {}, f.code), " ", prose([f.suggestion, f.evidence].filter(Boolean).join(" · ")))),
    ...view.failed.map(attempt),
    ...view.steps.map((text) => line(text, "rx-item")),
    ...view.notes.map((text) => line(text, "rx-item")),
  ];
  return items.length ? h("details", {}, h("summary", {}, "Evidence"), items) : null;
}

const SAID = {
  accept: "The cell has changed. The kernel has not answered yet: it is busy, or was restarted.",
  undo: "The cell reads as before. The kernel has not answered yet: it is busy, or was restarted.",
  reject: "The kernel has not answered yet: it is busy, or was restarted.",
  edited: "The cell was edited since this was proposed; nothing was changed.",
  left: "The cell was edited since, so its text stays as it is.",
  gone: "The kernel that tried this is gone; the decision is not recorded.",
};
const PATIENCE = 2500; // milliseconds until a busy kernel is mentioned

// The kernel's update of the output makes a new view and drops the focus; that view takes it back.
let focused = 0; // when a view that had the focus was last drawn, ms

function render({ model, el }) {
  const view = model.get("view");
  const cellId = model.get("cell_id");
  let shown = view.shown;
  let split = false;
  let waiting = null; // a decision the kernel has not answered
  let said = "";
  let conflict = false;

  const offer = () => view.offers.find((o) => o.id === shown) ?? null;
  const state = () => model.get("state");
  const can = {
    accept: () => !waiting && offer() !== null && state() !== "repaired",
    reject: () => !waiting && offer() !== null && ["pending", "doubtful"].includes(state()),
    undo: () => !waiting && state() === "repaired",
  };

  function tell(what, how, previous) {
    waiting = { what };
    if (root.contains(document.activeElement)) body.focus({ preventScroll: true }); // its button is about to go
    conflict = false;
    said = "";
    if (inform({ type: "decide", what, proposal: shown, how, before: previous ?? null })) {
      setTimeout(() => { if (waiting) { said = SAID[what]; draw(); } }, PATIENCE);
    } else said = SAID.gone;
    draw();
  }

  function accept(force = false) {
    if (!can.accept()) return;
    const result = replace(el, cellId, model.get("before"), model.get("texts")[shown], force);
    if (result.why === "conflict") {
      conflict = true;
      said = SAID.edited;
      draw();
    } else tell("accept", result.ok ? result.how : "manual", result.previous);
  }

  function reject() {
    if (can.reject()) tell("reject", "");
  }

  function undo() {
    if (!can.undo()) return;
    const result = replace(el, cellId, model.get("texts")[shown], model.get("before"));
    tell("undo", result.ok ? result.how : "manual");
    if (result.why === "conflict") { said = SAID.left; draw(); }
  }

  /** Carry out what the kernel asks for: put a cell back, or change it for `%reflect accept`. */
  function obey() {
    const [from, to] = model.get("swap");
    if (from == null) return;
    replace(el, cellId, from, to);
    inform({ type: "swapped" });
  }

  /** Tell the kernel; false when it is gone. */
  function inform(message) {
    try {
      model.send(message);
      return true;
    } catch {
      return false;
    }
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(model.get("texts")[shown]);
      said = "Copied.";
    } catch {
      said = "The browser does not allow copying here.";
    }
    draw();
  }

  const button = (label, key, act, name = "") =>
    h("button", { type: "button", class: name, "aria-keyshortcuts": key, onclick: act }, label,
      key ? h("kbd", { "aria-hidden": "true" }, key) : "");
  // Undo and Replace anyway never appear where Accept was: the second half of a double click must not hit them.
  const buttons = {
    accept: button("Accept", "a", () => accept(), "rx-accept"),
    reject: button("Reject", "r", reject, "rx-reject"),
    copy: button("Copy code", "", copy, "rx-copy"),
    undo: button("Undo", "u", undo, "rx-undo"),
    force: button("Replace anyway", "", () => accept(true), "rx-force"),
  };
  const layout = h("span", {});
  const toggle = button(layout, "s", () => { split = !split; draw(); }, "rx-toggle");
  const headline = h("span", { class: "rx-headline" });
  const counts = h("span", { class: "rx-counts" });
  const tabs = h("div", { class: "rx-tabs", role: "tablist", "aria-label": "Alternatives" });
  const about = h("div", { class: "rx-about" });
  const body = h("div", { class: "rx-body", tabindex: "0", role: "region", "aria-label": "Proposed change" });
  const after = h("div", { class: "rx-after" });
  const status = h("span", { class: "rx-status", role: "status", "aria-live": "polite" });
  const root = h("div", { class: "rx", role: "group", "aria-label": "Reflect: review of this cell" },
    h("div", { class: "rx-head" }, h("span", { class: "rx-dot", "aria-hidden": "true" }), headline, counts, toggle),
    found(view.found.slice(0, 3)), tabs, about, body, after,
    h("div", { class: "rx-foot" }, Object.values(buttons), status));

  function choose(id, focus) {
    shown = id;
    conflict = false;
    said = "";
    draw();
    if (focus) tabs.querySelector("[aria-selected=true]")?.focus();
  }

  function drawTabs() {
    tabs.hidden = view.offers.length < 2;
    tabs.replaceChildren(...view.offers.map((o, i) =>
      h("button", {
        type: "button", role: "tab", "aria-selected": String(o.id === shown), tabindex: o.id === shown ? "0" : "-1",
        disabled: Boolean(waiting) || state() === "repaired",
        onclick: () => choose(o.id, true),
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          event.stopPropagation();
          choose(view.offers[(i + step + view.offers.length) % view.offers.length].id, true);
        },
      }, `${o.number}  `, prose(o.title))));
  }

  function draw() {
    const o = offer();
    if (root.contains(document.activeElement)) focused = Date.now();
    root.dataset.state = state();
    headline.textContent = model.get("headline");
    counts.replaceChildren(...(o ? [h("b", { class: "rx-plus" }, `+${o.added}`), " ", h("b", { class: "rx-minus" }, `−${o.removed}`)] : []));
    toggle.hidden = !o;
    layout.textContent = split ? "Unified" : "Side by side";
    drawTabs();
    about.replaceChildren(...(o ? [
      h("div", {}, h("b", {}, prose(o.title)), h("span", { class: "rx-origin" }, o.origin)),
      line(o.evidence, ""), line(o.caution, "rx-caution")].filter(Boolean) : []));
    body.replaceChildren(...(o ? [difference(o, split)] : []));
    after.replaceChildren(...[o ? proof(view, o) : null,
      view.files.length ? line(`Files written: ${view.files.join(", ")}`, "rx-caution") : null,
      h("div", { class: "rx-quiet" }, `${view.cost} · ${view.effort}`), evidence(view, o)].filter(Boolean));
    buttons.accept.hidden = !o || state() === "repaired";
    buttons.reject.hidden = !o || !["pending", "doubtful"].includes(state());
    buttons.undo.hidden = state() !== "repaired";
    buttons.force.hidden = !conflict;
    buttons.copy.hidden = !o;
    for (const name of ["accept", "reject", "undo", "force"]) buttons[name].disabled = Boolean(waiting);
    buttons.accept.disabled ||= conflict;
    status.textContent = said || model.get("message");
    status.classList.toggle("rx-warn", Boolean(said || model.get("message")) && said !== "Copied.");
  }

  function onAnswer(message) {
    if (message?.type !== "answer") return;
    waiting = null;
    said = "";
    draw();
  }

  // Notebook commands listen on the document (Notebook 7 in the capture phase), and focus in an output
  // leaves the notebook in command mode. While the focus is in here, plain keys are ours; Ctrl+Enter,
  // Shift+Enter, Escape, arrows and Tab stay with the notebook.
  function onKey(event) {
    if (!root.contains(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.length > 1 && !(event.key === "Enter" && !event.shiftKey)) return;
    event.stopImmediatePropagation();
    const act = { a: () => accept(), r: reject, u: undo, s: () => toggle.click() }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }

  const watched = ["change:state", "change:headline", "change:message"];
  window.addEventListener("keydown", onKey, { capture: true });
  for (const event of watched) model.on(event, draw);
  model.on("change:swap", obey);
  model.on("msg:custom", onAnswer);
  draw();
  el.append(root);
  obey();
  inform({ type: "shown", lasting: document.documentElement.dataset.reflexMagic === "1" });
  if (Date.now() - focused < 3000) {
    setTimeout(() => { if ((document.activeElement ?? document.body) === document.body) body.focus({ preventScroll: true }); }, 0);
  }
  return () => {
    window.removeEventListener("keydown", onKey, { capture: true });
    for (const event of watched) model.off(event, draw);
    model.off("change:swap", obey);
    model.off("msg:custom", onAnswer);
  };
}

export default { render };
