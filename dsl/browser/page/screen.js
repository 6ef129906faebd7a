// What a person sees: the board, the choice, panels and the story. All words enter as text.

import { answered, served } from "./asking.js";
import { BoardView, figure, figured, holds, pictured, shortly, svg } from "./board.js";
import { el } from "./elements.js";
import { Forces } from "./forces.js";
import { Forecasts } from "./forecasts.js";
import { Engine, RuleFailure } from "./engine.js";
import { goals, near } from "./goals.js";
import { described, describedCell, printed } from "./look.js";
import { Wrong, textOf } from "./saves.js";
import { HUMAN, RANDOM, Table, isThinker } from "./seats.js";
import { MINUS, NONE, elements } from "./values.js";

const MOST_SHOWN = 60;
const MOST_LABELLED = 3000;
const [MOST_TOLD, TOLD_AT_ONCE] = [200, 50]; // choices of which the story is told, and how many are left out at once
const PAUSE = 120;
const FEW_ALIKE = 3; // what more options than these do alike is told once
const LONG = 40; // signs of a value whose panel is twice as wide
const [NEAR, FAR] = [12, 0.8];

export class Screen {
  constructor(root, module, facts, thoughts) {
    this.root = root;
    this.module = module;
    this.thoughts = thoughts;
    this.facts = facts;
    this.table = new Table(module, facts, preferred(facts));
    this.picked = [];
    this.views = new Map();
    this.board = 0;
    this.drawnCells = new Map();
    this.build();
    this.ask();
  }

  get words() {
    return this.table.words;
  }

  say(key, values) {
    return this.words.say(key, values);
  }

  // ---- what is always there --------------------------------------------------------------------

  build() {
    const file = el("input", { type: "file", accept: ".json,application/json", hidden: true, onchange: () => this.loaded(file) });
    this.file = file;
    this.parts = {
      title: el("h1"),
      bar: el("nav"),
      board: el("section", { class: "board" }),
      choice: el("section", { class: "choice" }),
      panels: el("section", { class: "panels" }),
      story: el("section", { class: "story" }),
      over: el("div", { class: "over", hidden: true }),
      look: el("dialog", { class: "card look" }),
    };
    const { title, bar, board, choice, panels, story, over, look } = this.parts;
    this.main = el("main", {}, el("div", { class: "column" }, board, panels), el("div", { class: "column" }, choice, story));
    this.page = el("div", { class: "page" }, el("header", {}, title, bar), this.main);
    this.root.replaceChildren(this.page, over, look, file);
    document.addEventListener("keydown", (event) => this.pressed(event));
    new ResizeObserver(() => (this.measured = 0)).observe(board);
  }

  head() {
    document.title = this.parts.title.textContent = this.words.told(this.facts.title);
  }

  drawBar() {
    const button = (key, act, disabled = false) => el("button", { type: "button", "data-act": key, disabled, onclick: act }, this.say(key));
    const playing = this.table.moments.length > 0;
    const had = [...this.parts.bar.children].indexOf(document.activeElement);
    this.parts.bar.replaceChildren(
      button("new game", () => this.ask()),
      button("undo", () => this.undo(), !playing || !this.table.undoable),
      button("save", () => this.save(), !playing),
      button("load", () => this.file.click()),
      this.tongues(),
    );
    const again = [...this.parts.bar.children].slice(had).find((each) => !each.disabled);
    if (had >= 0) again.focus();
  }

  /** A list of the languages. */
  tongues() {
    const chosen = this.words.language || this.facts.language;
    const select = el("select", { "aria-label": this.say("language"), onchange: () => this.speak(select.value) });
    for (const each of this.facts.languages)
      select.append(el("option", { value: each, selected: each === chosen }, named(each)));
    return select;
  }

  speak(language) {
    this.table.speak(language === this.facts.language ? "" : language);
    document.documentElement.lang = language;
    if (!this.asking) {
      this.draw();
      return;
    }
    const before = this.entered();
    this.ask();
    this.enter(before);
  }

  /** What has been entered into the form of a new game, by the names of its fields. */
  entered() {
    const fields = [...this.parts.over.querySelectorAll("form [name]")];
    const open = this.parts.over.querySelector("details.rulings")?.open ?? false;
    return { open, values: fields.map(({ name, type, checked, value }) => [name, type === "checkbox" ? checked : value]) };
  }

  /** Puts it there again, as when the form has been drawn in another language. */
  enter({ open, values }) {
    const form = this.parts.over.querySelector("form");
    for (const [name, value] of values) {
      const field = form.elements.namedItem(name);
      if (field?.type === "checkbox") field.checked = value;
      else if (field) field.value = value;
    }
    const rulings = form.querySelector("details.rulings");
    if (rulings) rulings.open = open;
    form.dispatchEvent(new Event("change"));
    form.querySelector(`select[aria-label="${CSS.escape(this.say("language"))}"]`)?.focus();
  }

  pressed(event) {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.picked.length) {
      this.picked = [];
      this.draw();
    }
    if (event.key === "+") this.zoom(1.25);
    if (event.key === "-") this.zoom(0.8);
    if (event.key === "0") this.zoom(0);
  }

  // ---- a new game ------------------------------------------------------------------------------

  ask() {
    const { facts, words } = this;
    this.asking = true;
    this.stopped = true;
    const seed = el("input", { type: "text", inputmode: "numeric", name: "seed", pattern: "-?[0-9]{1,19}", value: String(Math.floor(Math.random() * 1e6)) });
    const first = []; // in which mode, and how many play
    const others = [el("label", {}, el("span", {}, this.say("seed")), seed)];
    const rulings = [];
    const modes = facts.options.some(({ kind }) => kind === "mode");
    const settings = facts.options.map((option) => {
      const label = words.text(option.label) || (option.kind === "mode" ? this.say("mode") : option.name.replaceAll("_", " "));
      const input = option.choices.length
        ? el("select", { name: option.name }, ...option.choices.map((each, n) => el("option", { value: String(n), selected: n === option.default }, this.called(option, n))))
        : el("input", { type: "number", name: option.name, min: String(option.range[0]), max: String(option.range[1]), value: String(option.default) });
      const group = option.kind === "ruling" ? rulings : option.kind === "mode" || (modes && option.name === "players") ? first : others;
      group.push(el("label", {}, el("span", {}, label), input, ...this.about(option)));
      return [option.name, input];
    });
    const chosen = () => Object.fromEntries(settings.map(([name, input]) => [name, Number(input.value)]));
    const sitting = [];
    const seats = this.table.names.map((_, player) => {
      const before = this.table.seats?.[player] ?? HUMAN;
      const select = el("select", { name: `seat ${player}` });
      const kinds = [[HUMAN, "person"], [RANDOM, "random"], ["mcts", "thinks"], ["mcts:5s", "thinks longer"]];
      for (const [kind, key] of kinds)
        select.append(el("option", { value: kind, selected: kind === before }, this.say(key)));
      sitting.push(el("label", {}, el("span", {}, words.member(facts.players, player)), select));
      return select;
    });
    /** Only who takes part has a seat. */
    const seat = () => {
      const seated = this.trial.seated(chosen());
      sitting.forEach((label, player) => (label.hidden = Boolean(seated) && !((seated >> player) & 1)));
      problem.textContent = seated ? "" : this.say("no start", { reason: this.say("no seats") });
    };
    const takeback = el("input", { type: "checkbox", name: "takeback", checked: this.table.takeback ?? false });
    const folded = rulings.length ? [el("details", { class: "rulings" }, el("summary", {}, this.say("rulings", { count: rulings.length })), ...rulings)] : [];
    // before the first game the bar is out of reach
    const spoken = this.table.moments.length ? [] : [el("label", {}, el("span", {}, this.say("language")), this.tongues())];
    const fields = [...spoken, ...first, ...sitting, el("label", { class: "check" }, takeback, el("span", {}, this.say("takeback"))), ...others, ...folded];
    const problem = el("p", { role: "alert", class: "problem" });
    const form = el(
      "form",
      {
        class: "card",
        onchange: seat,
        onsubmit: (event) => {
          event.preventDefault();
          try {
            this.begin({
              seed: BigInt.asUintN(64, BigInt(seed.value.trim() || 0)),
              settings: chosen(),
              seats: seats.map((each) => each.value),
              takeback: takeback.checked,
            });
          } catch (error) {
            problem.textContent = this.say("no start", { reason: this.reason(error) });
          }
        },
      },
      el("h2", {}, this.say("new game")),
      ...fields,
      problem,
      el(
        "div",
        { class: "row last" },
        el("button", { type: "submit", class: "main", "data-act": "start" }, this.say("start")),
        el("button", { type: "button", "data-act": "load", onclick: () => this.file.click() }, this.say("load")),
        ...(this.table.moments.length ? [el("button", { type: "button", "data-act": "cancel", onclick: () => this.resume() }, this.say("cancel"))] : []),
      ),
    );
    seat();
    this.head();
    this.drawBar();
    this.cover(form);
  }

  /** An engine to try settings with, beside the one of the game. */
  get trial() {
    return (this.trying ??= new Engine(this.module, this.facts));
  }

  /** A choice of an option in words; of the one that holds where nobody chooses it says so. */
  called({ choices, type, default: usual }, number) {
    const own = choices[number];
    const word = type[0] === "id" ? this.words.member(type[2], number) : this.say(own === "true" ? "yes" : "no");
    const choice = word === own ? own.replaceAll("_", " ") : word;
    return number === usual ? this.say("usual", { choice }) : choice;
  }

  /** What is told of an option below it: how far its numbers go, and the rules that it is of. */
  about({ range, least, default: usual, rules }) {
    const lines = range ? [this.say("range", { low: least, high: range[1], default: usual })] : [];
    for (const [rule, titles] of rules) {
      const title = this.words.told(titles);
      lines.push(title ? this.say("rule", { rule, title }) : rule);
    }
    return lines.map((line) => el("small", {}, line));
  }

  reason(error) {
    if (error instanceof RuleFailure) return error.code;
    if (error instanceof Error && error.message in this.words.own) return this.say(error.message, error.values);
    throw error;
  }

  begin(chosen) {
    const table = new Table(this.module, this.facts, this.words.language);
    table.begin(chosen);
    this.take(table);
  }

  take(table) {
    this.table = table;
    this.picked = [];
    this.views.clear();
    this.drawnCells.clear();
    this.resume();
  }

  resume() {
    this.asking = false;
    this.stopped = false;
    this.next();
  }

  /** Puts a card over everything, which is then out of reach. */
  cover(card) {
    if (!card && !this.parts.over.hidden) this.attending = true; // whoever uncovers the screen goes on with the choice
    this.page.inert = Boolean(card);
    this.page.classList.toggle("hidden", Boolean(card) && (this.asking ? this.table.moments.length === 0 : true));
    this.parts.over.hidden = !card;
    this.parts.over.replaceChildren(...(card ? [card] : []));
    card?.querySelector("button.main")?.focus({ preventScroll: true });
    if (card) this.parts.over.scrollTop = 0;
  }

  /** What to go on from when the page is loaded again. */
  kept() {
    return this.table.moments.length ? this.table.kept() : null;
  }

  /** Goes on from there, as far as the rules of now allow it. */
  again(before) {
    const table = new Table(this.module, this.facts, before.language);
    try {
      table.again(before);
    } catch (error) {
      if (!table.moments.length) return;
      this.problem = this.reason(error);
    }
    this.take(table);
  }

  // ---- whose turn it is ------------------------------------------------------------------------

  /** Goes on to whoever is next: a person comes to the screen, the computer chooses by itself. */
  next() {
    const { table } = this;
    const person = !table.over && table.seats[table.player] === HUMAN;
    if (person && table.passes) {
      this.choose(0);
      return;
    }
    if (person && table.shared && table.viewer !== table.player) {
      this.handOver(table.player);
      return;
    }
    if (person) table.viewer = table.player;
    else if (table.viewer === null && table.people.length === 1) [table.viewer] = table.people;
    this.cover(null);
    this.draw();
    if (!person && !table.over) this.think();
  }

  /** Covers the screen for the next person; what the last one saw goes. */
  handOver(player) {
    const { board, choice, panels, story, look } = this.parts;
    if (look.open) look.close();
    for (const part of [board, choice, panels, story, look]) part.replaceChildren();
    this.view = this.answer = null;
    this.drawnCells.clear();
    this.canvas = null;
    const who = this.table.called(player);
    const here = el("button", { type: "button", class: "main", "data-act": "here", onclick: () => this.arrive(player) }, this.say("i am here", { player: who }));
    const before = this.table.viewer;
    const problem = el("p", { role: "alert", class: "problem" });
    const card = el("div", { class: "card", role: "dialog", "aria-modal": "true" }, el("h2", {}, this.say("next", { player: who })), el("p", {}, this.say("look away", { player: who })), here, problem);
    if (before !== null && this.table.undoable) {
      const still = this.say("i am still here", { player: this.table.called(before) });
      problem.before(el("button", { type: "button", "data-act": "undo", onclick: () => this.undo() }, still));
    }
    this.cover(card);
  }

  arrive(player) {
    this.table.viewer = player;
    this.next();
  }

  /** The computer chooses: by chance at once, or when it has thought. */
  think() {
    const { table } = this;
    const number = table.moments.length;
    const seat = table.seats[table.player];
    const go = (choice) => {
      if (this.table !== table || this.stopped || table.over || table.moments.length !== number) return;
      if (choice < 0) {
        this.fail(this.say("failed", { code: new RuleFailure(-choice).code }));
        return;
      }
      if (choice === null) this.problem = this.say("stopped");
      this.choose(choice ?? table.byChance());
    };
    if (!isThinker(seat) || table.engine.count === 1) setTimeout(() => go(isThinker(seat) ? 0 : table.byChance()), PAUSE);
    else this.thoughts.choose(table, seat).then(go);
  }

  choose(number) {
    try {
      this.table.choose(number);
    } catch (error) {
      if (!(error instanceof RuleFailure)) throw error;
      this.fail(this.say("failed", { code: error.code }));
      return;
    }
    this.picked = [];
    if (this.table.over || this.table.seats[this.table.moments[this.table.moments.length - 1].player] === HUMAN) this.problem = "";
    this.next();
  }

  /** Takes back the last choice, or says why not. */
  undo() {
    const kept = this.table.keptBy();
    if (kept) {
      this.fail(this.say(kept));
      return;
    }
    this.table.undo();
    this.picked = [];
    this.problem = "";
    this.next();
  }

  fail(problem) {
    const covered = this.parts.over.querySelector(".problem");
    this.problem = covered ? "" : problem;
    if (covered) covered.textContent = problem;
    else this.draw();
  }

  // ---- files -----------------------------------------------------------------------------------

  async save() {
    try {
      const text = await this.table.save();
      const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      const link = el("a", { href: address, download: `${this.facts.name}-${this.table.seed}.save.json` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    } catch (error) {
      this.fail(this.say("not saved", { reason: String(error.message) }));
    }
  }

  async loaded(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    this.fail("");
    try {
      this.take(await this.table.load(await textOf(file)));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      this.fail(this.say("not loaded", { reason: this.reason(error) }));
    }
  }

  // ---- drawing ---------------------------------------------------------------------------------

  draw() {
    this.head();
    this.drawBar();
    for (const [part, key] of [["choice", "your choice"], ["panels", "state"], ["story", "story"]]) this.parts[part].setAttribute("aria-label", this.say(key));
    this.options = this.listed();
    this.drawBoard();
    this.drawChoice();
    this.drawPanels();
    this.drawStory();
  }

  /** The options of the person whose turn it is: number, label, and the cells that each names. */
  listed() {
    const { table } = this;
    const { engine } = table;
    if (table.over || table.seats[table.player] !== HUMAN) return [];
    const count = Math.min(engine.count, MOST_LABELLED);
    const apart = engine.toldApart(this.words, count);
    return Array.from({ length: count }, (_, number) => {
      const label = engine.label(this.words, number);
      return { number, label: apart[number] ? `${label} (${apart[number]})` : label, cells: this.cellsOf(number) };
    });
  }

  /** The cells of the board that an option names: places, and where the pieces that it names stand. */
  cellsOf(number) {
    const board = this.facts.looks.boards[this.board];
    if (!board) return [];
    const { engine } = this.table;
    const { does } = engine.offer(number);
    const found = new Set();
    engine.values(does, engine.option(number)).forEach((value, n) => {
      const { type } = does[n];
      if (value === null || value === NONE) return;
      const of = type[0] === "set" || type[0] === "list" ? type[2] : type;
      if (of[0] !== "id") return;
      const members = type[0] === "set" ? elements(value) : type[0] === "list" ? value : [value];
      for (const member of members) for (const cell of this.cellsOfMember(board, of[2], member)) found.add(cell);
    });
    return [...found];
  }

  cellsOfMember(board, domain, member) {
    const { facts, table } = this;
    if (domain === board.domain) return [member];
    if (board.shapes[domain]) return board.shapes[domain][member];
    for (const part of facts.domains[domain].parts) {
      const size = facts.domains[part].members.length;
      if (member < size) return this.cellsOfMember(board, part, member);
      member -= size;
    }
    const pool = facts.pools.findIndex((each) => each.domain === domain);
    const at = pool >= 0 ? facts.looks.pools[pool].at : null;
    if (at === null || !table.engine.sees(at, member, table.viewer)) return [];
    const { offset, width, type } = facts.vars[at];
    const place = table.engine.vector[offset + member * width];
    return place === NONE ? [] : this.cellsOfMember(board, type[2], place);
  }

  /** The options that name all the cells that were pointed at. */
  get fitting() {
    return this.options.filter(({ cells }) => this.picked.every((cell) => cells.includes(cell)));
  }

  /** A cell is pointed at: it narrows the options; the only one left, whose cells have all been pointed at, is taken. */
  point(cell) {
    if (!this.options.some(({ cells }) => cells.includes(cell))) return;
    if (this.picked.includes(cell)) this.picked = this.picked.filter((each) => each !== cell);
    else {
      const before = this.picked;
      this.picked = [...before, cell];
      if (!this.fitting.length) this.picked = [cell];
      const { fitting, picked } = this;
      if (fitting.length === 1 && fitting[0].cells.every((each) => picked.includes(each))) {
        this.choose(fitting[0].number);
        return;
      }
    }
    this.draw();
  }

  drawBoard() {
    const { board: section } = this.parts;
    const { boards } = this.facts.looks;
    section.hidden = !boards.length;
    if (!boards.length) return;
    section.setAttribute("aria-label", this.say("board"));
    const { fitting, picked } = this;
    const choices = new Set([...picked, ...fitting.flatMap(({ cells }) => cells)]);
    const all = new Set([...picked, ...this.options.flatMap(({ cells }) => cells)]);
    const view = new BoardView(this.table.engine, this.words, this.table.viewer, this.board, all, this.aspect, this.drawnCells);
    const first = new Set(fitting.flatMap(({ cells }) => (picked.length ? cells : cells.slice(0, 1))));
    const focused = document.activeElement?.getAttribute?.("data-cell");
    const many = first.size > 0.4 * this.facts.looks.boards[this.board].cells.length;
    const canvas = svg("svg", { class: many ? "map many" : "map", role: "group", "aria-label": this.say("board"), preserveAspectRatio: "xMidYMid meet" }, ...view.drawn(choices, first, new Set(picked)));
    this.box = view.box(choices);
    this.canvas = canvas;
    this.show(this.part);
    section.classList.toggle("zoomed", this.views.has(this.board));
    section.style.setProperty("--shape", String(this.box[2] / this.box[3]));
    this.follow(canvas);
    const zoom = (key, sign, by) => el("button", { type: "button", "aria-label": this.say(key), title: this.say(key), onclick: () => this.zoom(by) }, sign);
    const tools = el("div", { class: "tools" }, zoom("zoom in", "+", 1.25), zoom("zoom out", "−", 0.8), zoom("whole board", svg("svg", { viewBox: "0 0 16 16" }, svg("path", { d: "M1 5V1H5M11 1H15V5M15 11V15H11M5 15H1V11", fill: "none", stroke: "currentColor", "stroke-width": 2 })), 0));
    if (boards.length > 1)
      boards.forEach((each, number) => tools.append(el("button", { type: "button", "aria-pressed": String(number === this.board), onclick: () => this.turnTo(number) }, each.name.replaceAll("_", " "))));
    const bare = this.main.classList.contains("bare");
    tools.append(el("button", { type: "button", class: "fold", "data-act": "fold", "aria-pressed": String(bare), "aria-label": this.say("board alone"), title: this.say("board alone"), onclick: () => this.fold() }, svg("svg", { viewBox: "0 0 16 16" }, svg("path", { d: "M1 2H15V14H1ZM4 7L8 11L12 7", fill: "none", stroke: "currentColor", "stroke-width": 2 }))));
    this.view = view;
    this.here = el("span", { "aria-live": "polite" });
    this.closer = el("button", { type: "button", "data-act": "look", hidden: true, onclick: () => this.look(describedCell(this.view, this.at)) }, this.say("look"));
    if (!choices.size) canvas.querySelector("[data-cell]")?.setAttribute("tabindex", "0");
    const open = section.querySelector("details")?.open ?? false;
    const foot = el("div", { class: "foot" }, el("div", { class: "here" }, this.here, this.closer), ...this.legend(view, open), tools);
    const had = [...section.querySelectorAll(".tools button")].indexOf(document.activeElement);
    section.replaceChildren(canvas, foot);
    if (had >= 0) tools.children[had]?.focus();
    if (focused !== null && focused !== undefined) canvas.querySelector(`[data-cell="${CSS.escape(focused)}"]`)?.focus();
  }

  /** How much wider than high the place for the board is: measured again when it has become another, as that lays out the page. */
  get aspect() {
    if (matchMedia("(max-width: 800px)").matches) return 0.7;
    const measured = (one) => (one?.clientHeight ? one.clientWidth / one.clientHeight : 0);
    return (this.measured ||= measured(this.canvas) || measured(this.parts.board) || 1.6);
  }

  /** The board has all the room, or makes room for the panels again. */
  fold() {
    this.main.classList.toggle("bare");
    this.draw();
    this.measured = 0;
    this.draw(); // a map in parts is laid by the room that there is now
  }

  /** What the signs mean, to be unfolded. */
  legend(view, open) {
    const lines = view.legend();
    if (!lines.length) return [];
    const list = el("dl", {}, ...lines.flatMap(([sign, meaning, kind]) => [el("dt", {}, pictured(this.facts.looks, kind, 20) ?? sign), el("dd", {}, this.lookable(meaning, kind))]));
    return [el("details", { class: "legend", open }, el("summary", {}, this.say("signs")), list)];
  }

  /** A dialog that says what something is; what was at hand before is again when it is closed. */
  look(parts) {
    const { look } = this.parts;
    const close = el("button", { type: "button", class: "main", "data-act": "close", onclick: () => look.close() }, this.say("close"));
    look.setAttribute("aria-label", parts[0].textContent);
    look.replaceChildren(...parts, el("div", { class: "row" }, close));
    look.showModal();
    look.scrollTop = 0;
  }

  /** A text, which can be looked at where something is printed of the kind that it names. */
  lookable(text, kind) {
    if (!kind || !printed(this.facts, this.words, ...kind)) return text;
    return el("button", { type: "button", class: "link", "aria-haspopup": "dialog", onclick: () => this.look(described(this.facts, this.words, ...kind)) }, text);
  }

  /** A cell is at hand: what is there can be read, and looked at. */
  come(cell, aloud) {
    this.at = Number(cell.dataset.cell);
    this.here.setAttribute("aria-live", aloud ? "polite" : "off");
    this.here.textContent = cell.getAttribute("aria-label");
    this.closer.hidden = false;
  }

  /** Moves the board so that a cell is seen which lies outside of the part that is shown. */
  uncover(cell) {
    const [seen, at] = [this.canvas, cell].map((each) => each.getBoundingClientRect());
    const [dx, dy] = [(at.left + at.right - seen.left - seen.right) / 2, (at.top + at.bottom - seen.top - seen.bottom) / 2];
    if (Math.abs(dx) <= (seen.width - at.width) / 2 + 1 && Math.abs(dy) <= (seen.height - at.height) / 2 + 1) return;
    const scale = this.canvas.getScreenCTM()?.a || 1;
    const [x, y, width, height] = this.part;
    this.moveTo([x + dx / scale, y + dy / scale, width, height]);
  }

  /** The cell beside one in a direction of the screen. */
  beside(cell, key) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const { cells } = this.view.board;
    const [x, y] = cells[cell][0];
    let best = null;
    cells.forEach(([[a, b], corners], other) => {
      const [ahead, aside] = [(a - x) * dx + (b - y) * dy, Math.abs((a - x) * dy) + Math.abs((b - y) * dx)];
      if (other === cell || !corners.length || ahead <= 0.01 || aside > ahead * 1.2) return;
      const far = ahead + 2 * aside;
      if (best === null || far < best[1]) best = [other, far];
    });
    return best && this.canvas.querySelector(`[data-cell="${best[0]}"]`);
  }

  turnTo(number) {
    this.board = number;
    this.drawnCells.clear();
    this.picked = [];
    this.draw();
  }

  show(box) {
    this.canvas.setAttribute("viewBox", box.join(" "));
  }

  /** The part of the board that is shown, from here on. */
  moveTo(box) {
    this.views.set(this.board, box);
    this.parts.board.classList.add("zoomed");
    this.show(box);
  }

  get part() {
    return this.views.get(this.board) ?? this.box;
  }

  /** Larger by a factor around a point of the screen, or the middle; 0: the whole board. */
  zoom(by, at = null) {
    if (!this.canvas) return;
    const [x, y, width, height] = this.part;
    if (!by) {
      this.views.delete(this.board);
      this.parts.board.classList.remove("zoomed");
      this.show(this.box);
      return;
    }
    const least = this.box[2] / NEAR;
    const to = Math.min(Math.max(width / by, least), this.box[2] / FAR) / width;
    const [a, b] = at ?? [x + width / 2, y + height / 2];
    this.moveTo([a - (a - x) * to, b - (b - y) * to, width * to, height * to]);
  }

  /** Where on the board a point of the screen lies. */
  spot(event) {
    const matrix = this.canvas.getScreenCTM();
    if (!matrix) return [0, 0];
    const found = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [found.x, found.y];
  }

  /** Dragging, pinching and the wheel move the board; a click or Enter points at a cell. */
  follow(canvas) {
    const fingers = new Map();
    let moved = 0;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.spot(event));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      if (!fingers.size) moved = 0;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      const scale = canvas.getScreenCTM()?.a || 1;
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const span = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
        this.zoom(span(now) / Math.max(1, span(before)), this.spot({ clientX: (now[0] + other[0]) / 2, clientY: (now[1] + other[1]) / 2 }));
        moved = 10;
      } else {
        moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
        if (moved > 6 && (event.pointerType !== "touch" || this.views.has(this.board))) {
          const [x, y, width, height] = this.part;
          this.moveTo([x - (now[0] - before[0]) / scale, y - (now[1] - before[1]) / scale, width, height]);
          if (!canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId);
        }
      }
      fingers.set(event.pointerId, now);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
    canvas.addEventListener("click", (event) => {
      const cell = event.target.closest?.("[data-cell]");
      if (!cell || moved > 6) return;
      this.point(Number(cell.dataset.cell));
      if (this.here.isConnected) this.come(this.canvas.querySelector(`[data-cell="${cell.dataset.cell}"]`), true);
    });
    canvas.addEventListener("focusin", (event) => {
      const cell = event.target.closest?.("[data-cell]");
      if (!cell) return;
      this.come(cell, false);
      this.uncover(cell);
    });
    canvas.addEventListener("keydown", (event) => {
      const cell = event.target.closest?.("[data-cell]");
      if (cell && event.key === "i") this.look(describedCell(this.view, Number(cell.dataset.cell)));
      if (cell && event.key.startsWith("Arrow")) {
        event.preventDefault();
        this.beside(Number(cell.dataset.cell), event.key)?.focus();
      }
      if (!cell || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      this.point(Number(cell.dataset.cell));
    });
  }

  // ---- the choice ------------------------------------------------------------------------------

  drawChoice() {
    const { table } = this;
    const { engine } = table;
    const found = [];
    if (this.problem) found.push(el("p", { role: "alert", class: "problem" }, this.problem));
    if (table.over) {
      found.push(el("h2", { class: "turn" }, this.say("ended")), el("p", { class: "ending" }, engine.sentence(this.words)), el("p", { class: "faint" }, this.say("decisions", { count: table.moments.length - 1 })));
      this.parts.choice.replaceChildren(...found, ...this.asks());
      return;
    }
    const player = table.player;
    const prompt = engine.prompt(this.words);
    const who = table.names.length > 1 ? this.say("turn", { player: table.called(player) }) : this.say("your choice");
    found.push(el("h2", { class: "turn" }, this.ownerMark(player), who), el("p", { class: "prompt" }, prompt));
    if (table.seats[player] !== HUMAN) {
      found.push(el("p", { class: "faint" }, this.say("thinking", { player: table.called(player) })));
      this.parts.choice.replaceChildren(...found);
      return;
    }
    if (table.lonePass) {
      const passing = el("input", { type: "checkbox", name: "passing", checked: table.passing.has(player), onchange: () => table.letPass(player, passing.checked) });
      found.push(el("label", { class: "check" }, passing, el("span", {}, this.say("let pass"))));
    }
    const list = el("ol", { class: "options", role: "list", "aria-label": prompt ? this.say("so", { what: who, result: prompt }) : who });
    const rest = el("p", { class: "faint" });
    const filter = el("input", { type: "search", placeholder: this.say("find"), "aria-label": this.say("find"), value: this.typed ?? "", oninput: () => this.fillOptions(list, rest, (this.typed = filter.value)) });
    if (this.options.length > 12) found.push(filter);
    else this.typed = "";
    this.fillOptions(list, rest, this.typed ?? "");
    const each = el("p", { class: "each", hidden: true });
    const had = this.parts.choice.contains(document.activeElement);
    this.parts.choice.replaceChildren(...found, each, list, rest, ...this.asks());
    this.sayEach();
    const first = list.querySelector("button");
    if (had || this.attending) first?.focus({ preventScroll: true });
    this.attending = false;
    if (first?.matches(":focus-visible")) first.scrollIntoView({ block: "nearest" });
    this.foresee();
  }

  /** Finds out what the options do, when all is drawn, and writes it beside them. */
  foresee() {
    const { table } = this;
    const number = table.moments.length;
    const at = `${number} ${table.viewer} ${this.words.language}`;
    if (this.foreseen?.at === at && this.foreseen.table === table) return;
    this.foreseen = { at, table, lines: [] };
    setTimeout(() => {
      if (this.table !== table || this.foreseen.at !== at || table.moments.length !== number || this.stopped) return;
      try {
        this.forecasts ??= new Forecasts(this.module, this.facts);
        this.foreseen.lines = this.forecasts.told(table.moments[number - 1].state, this.words, MOST_SHOWN);
      } catch (error) {
        if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
        this.forecasts = null; // the browser stopped the module: nothing is known
      }
      this.sayEach();
      for (const button of this.parts.choice.querySelectorAll("[data-option]")) button.append(...this.does(Number(button.dataset.option)));
    });
  }

  /** What the options do, as far as it is known. */
  get known() {
    const { table, foreseen } = this;
    const at = `${table.moments.length} ${table.viewer} ${this.words.language}`;
    return foreseen?.table === table && foreseen.at === at ? foreseen.lines : [];
  }

  /** What an option does, where not all do the same. */
  does(number) {
    const known = this.known[number];
    return known && known !== this.alike ? [" ", el("span", { class: "does" }, known)] : [];
  }

  /** What more options than a few do alike, which is told once above them; empty where there is none. */
  get alike() {
    const { engine } = this.table;
    const done = this.known.filter((_, number) => engine.offer(number).kind === "do");
    return done.length > FEW_ALIKE && done.every((each) => each === done[0]) ? done[0] : "";
  }

  sayEach() {
    const line = this.parts.choice.querySelector(".each");
    line.textContent = this.alike ? this.say("each", { effects: this.alike }) : "";
    line.hidden = !this.alike;
  }

  /** Questions to the engine that serves this page, to be unfolded; none where the page is a file. */
  asks() {
    if (!served()) return [];
    const { table } = this;
    const number = table.moments.length;
    const kept = this.answer?.number === number && this.answer.viewer === table.viewer ? this.answer : null;
    const told = el("div", { class: "answer", role: "status" }, ...(kept?.lines ?? []).map((line) => el("p", {}, line)));
    const ask = async (about) => {
      const lines = (await answered(table, about)) ?? [this.say("no answer")];
      if (this.table !== table || table.moments.length !== number) return;
      this.answer = { number, viewer: table.viewer, lines };
      told.replaceChildren(...lines.map((line) => el("p", {}, line)));
    };
    const about = el("input", { type: "text", name: "about", maxlength: "400", placeholder: this.say("an action"), "aria-label": this.say("why not") });
    const form = el("form", { class: "row", onsubmit: (event) => (event.preventDefault(), ask(about.value)) }, about, el("button", { type: "submit", "data-act": "why not" }, this.say("ask it")));
    const box = el("details", { class: "ask", open: this.unfolded ?? false, ontoggle: () => (this.unfolded = box.open) });
    box.append(
      el("summary", {}, this.say("ask")),
      el("button", { type: "button", "data-act": "why", onclick: () => ask(null) }, this.say("why")),
      ...(table.over ? [] : [el("p", { class: "faint" }, this.say("why not")), form]),
      told,
    );
    return [box];
  }

  fillOptions(list, rest, typed) {
    const parts = plain(typed).split(" ").filter(Boolean);
    const chosen = this.fitting.filter(({ label }) => parts.every((part) => plain(label).includes(part)));
    const more = chosen.length - MOST_SHOWN + Math.max(0, this.table.engine.count - MOST_LABELLED);
    list.replaceChildren(
      ...chosen.slice(0, MOST_SHOWN).map((option) =>
        el(
          "li",
          { value: option.number + 1 },
          el(
            "button",
            { type: "button", "data-option": String(option.number), onclick: () => this.choose(option.number), onpointerenter: () => this.hint(option.cells), onpointerleave: () => this.hint([]), onfocus: ({ target }) => target.matches(":focus-visible") && this.hint(option.cells), onblur: () => this.hint([]) },
            option.label,
            ...this.does(option.number),
          ),
        ),
      ),
    );
    rest.textContent = more > 0 ? this.say("more", { count: more }) : chosen.length ? "" : this.say("none found");
  }

  /** Shows on the board what an option names. */
  hint(cells) {
    for (const each of this.canvas?.querySelectorAll(".hint") ?? []) each.classList.remove("hint");
    for (const cell of cells) this.canvas?.querySelector(`[data-cell="${cell}"]`)?.classList.add("hint");
  }

  /** Does anything that is drawn belong to players themselves? Where it is their sides', their own marks mean nothing; of
   * what may belong to either it is asked whose it is. */
  get own() {
    const { facts, table } = this;
    const { engine } = table;
    const players = (domain, member) => {
      if (domain === facts.players) return true;
      for (const part of facts.domains[domain].parts) {
        const size = facts.domains[part].members.length;
        if (member < size) return players(part, member);
        member -= size;
      }
      return false;
    };
    const has = (index) => {
      const { of, type, offset, width } = facts.vars[index];
      if (type[2] === facts.players) return true;
      const pool = facts.pools.find(({ domain }) => domain === of);
      const members = pool ? engine.inPlay(pool) : facts.domains[of].members.map((_, member) => member);
      return members.some((member) => {
        const value = engine.sees(index, member, table.viewer) ? engine.vector[offset + member * width] : NONE;
        return value >= 0 && players(type[2], value);
      });
    };
    const ofPieces = facts.looks.pools.map(({ owner }) => owner).filter((index) => index !== null);
    const drawn = ofPieces.length ? ofPieces : facts.looks.boards.flatMap(({ holder, owners }) => (holder === null ? owners : [holder]));
    return !drawn.length || drawn.some(has);
  }

  ownerMark(player) {
    return this.own ? this.mark(this.facts.players, player) : "";
  }

  /** The mark of a player or side on the board; empty where there is none. */
  mark(domain, member) {
    const { looks } = this.facts;
    const owner = looks.owners[looks.owner_of[domain]?.[member]];
    if (!owner) return "";
    const canvas = svg("svg", { class: "sign", viewBox: "-12 -12 24 24", "aria-hidden": "true" });
    canvas.append(figure(figured(looks) ? owner.figure : "circle", 0, 0, 9, owner.fill, "#1a1a1a"));
    return canvas;
  }

  // ---- panels ----------------------------------------------------------------------------------

  drawPanels() {
    const { facts, words, table } = this;
    const { engine } = table;
    const fields = facts.vars.map((each, index) => ({ ...each, index })).filter(({ role }) => role === "field");
    const name = ({ label, name: plainName }) => words.text(label) || plainName.replaceAll("_", " ");
    const sees = ({ index }, member) => engine.sees(index, member, table.viewer);
    const shown = (field, member) => {
      if (!sees(field, member)) return this.say("hidden");
      const value = engine.value(field.index, member);
      const empty = value === NONE || (field.type[0] !== "int" && !holds(field.type, value));
      return empty ? "·" : shortly(words, field.type, value);
    };
    const seated = table.names.map((_, player) => player).filter((player) => table.plays(player));
    const told = fields.filter((field) => field.of === facts.players && field.label !== null && seated.some((player) => sees(field, player) && holds(field.type, engine.value(field.index, player))));
    const own = fields.filter((field) => field.of === null && field.label !== null && says(field, engine));
    const forces = new Forces(engine, words, table.viewer);
    const every = this.zones(forces);
    const some = every.some(({ named }) => named);
    const zones = every.filter(({ named }) => !some || named); // others are the rules' own
    const panel = (title, mark, values, pieces, piles, player) => {
      const list = el("dl", {});
      for (const [key, value] of values) list.append(el("dt", {}, key), el("dd", {}, value));
      if (pieces.length) list.append(el("dt", {}, this.say("pieces")), el("dd", { class: "cards" }, ...pieces.map(({ text, kind }) => el("span", {}, this.lookable(text, kind)))));
      for (const { label, count, cards } of piles.filter((each) => each.count)) {
        list.append(el("dt", {}, label), el("dd", {}, String(count)));
        if (cards.length) list.append(el("dd", { class: "cards" }, ...cards.map(({ text, kind }) => el("span", {}, this.lookable(text, kind)))));
      }
      const current = player !== null && !table.over && player === table.player;
      const wide = values.some(([, value]) => value.length > LONG);
      return el("article", { class: `panel${current ? " current" : ""}${wide ? " wide" : ""}` }, el("h2", {}, ...(mark ? [mark] : []), title), list);
    };
    const pieces = forces.ofOwners();
    const regions = forces.ofRegions();
    const of = (told, side) => told.find(([domain, member]) => domain === side[0] && member === side[1])?.[2] ?? [];
    const found = seated.map((player) => {
      const side = [facts.players, player];
      const nearing = near(engine, words, player, table.viewer, seated.length > 2);
      const won = nearing.length ? [[this.say("victory"), nearing.join(" · ")]] : [];
      const values = [...of(regions, side), ...told.map((field) => [name(field), shown(field, player)]), ...won];
      return panel(table.called(player), this.ownerMark(player), values, of(pieces, side), zones.filter(({ owner }) => owner === player), player);
    });
    const sides = new Map([...regions, ...pieces].filter(([domain]) => domain !== facts.players).map((each) => [`${each[0]} ${each[1]}`, each]));
    const brief = []; // sides of which there is one thing to say
    for (const side of sides.values()) {
      const [called, values] = [words.member(side[0], side[1]), of(regions, side)];
      if (values.length === 1 && !of(pieces, side).length) brief.push([`${called} · ${values[0][0]}`, values[0][1]]);
      else found.push(panel(called, this.mark(...side), values, of(pieces, side), [], null));
    }
    const open = zones.filter(({ owner, count }) => owner === null && count > 0);
    const rest = [...own.map((field) => [name(field), shown(field, 0)]), ...brief, ...forces.ofThings()];
    if (rest.length || open.length) found.push(panel(this.say("state"), null, rest, [], open, null));
    const aims = goals(engine, words, table.viewer ?? (table.over ? null : table.player)).map(([kind, texts]) => [this.say(kind), texts.join(" · ")]);
    if (aims.length) {
      found.unshift(panel(this.say("aims"), null, aims, [], [], null));
      found[0].classList.add("aims");
    }
    const full = found.filter((each) => each.querySelector("dt"));
    this.parts.panels.replaceChildren(...full);
    this.parts.panels.hidden = !full.length;
    const across = full.filter((each) => !each.classList.contains("aims")).reduce((sum, each) => sum + (each.classList.contains("wide") ? 2 : 1), 0);
    this.parts.panels.style.setProperty("--across", String(Math.max(1, across)));
  }

  /** Each pile: whose it is, what it is called, how many cards it has, and those that may be seen. */
  zones(forces) {
    const { facts, words, table } = this;
    const { engine } = table;
    return facts.pools.flatMap((pool, at) => {
      if (pool.pile === null || pool.order === null) return [];
      const [pile, order] = [facts.vars[pool.pile], facts.vars[pool.order]];
      return pool.piles.map((plainName, number) => {
        const cards = facts.domains[pool.domain].members.map((_, card) => card).filter((card) => engine.vector[pile.offset + card] === number);
        cards.sort((a, b) => engine.vector[order.offset + a] - engine.vector[order.offset + b]);
        const seen = cards.filter((card) => engine.sees(pool.pile, card, table.viewer));
        const names = seen.map((card) => {
          const kind = engine.kind(pool, card, table.viewer);
          const beside = forces.beside(at, card).join("; ");
          const text = kind ? words.member(...kind) : words.member(pool.domain, card);
          return { text: beside ? `${text} (${beside})` : text, kind };
        });
        if (cards.length && !engine.sees(pool.order, cards[0], table.viewer)) names.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)));
        const owner = pool.owners[number];
        const called = pile.type[0] === "id" ? words.member(pile.type[2], number) : plainName;
        const own = owner === null ? called : words.text(pool.words[number]);
        return { plainName, owner, named: called !== plainName, label: own, count: cards.length, cards: counted(names) };
      });
    });
  }

  drawStory() {
    const { table } = this;
    const viewer = this.facts.hides ? table.viewer : null;
    const before = Math.floor((table.moments.length - MOST_TOLD) / TOLD_AT_ONCE) * TOLD_AT_ONCE;
    const lines = table.story(viewer, Math.max(0, before));
    let list = this.parts.story.querySelector(".lines");
    if (!list) {
      list = el("div", { class: "lines", role: "log", tabindex: "0" });
      this.shownLines = [];
    }
    list.setAttribute("aria-label", this.say("story"));
    // what stands there already stays, so that only what is new is read out
    const old = this.shownLines;
    const alike = (one, other) => one.kind === other.kind && one.text === other.text && one.rules?.join() === other.rules?.join();
    let same = 0;
    while (same < old.length && same < lines.length && alike(old[same], lines[same])) same++;
    while (list.children.length > same) list.lastChild.remove();
    for (const { kind, text, rules } of lines.slice(same)) {
      const line = el("p", { class: `line ${kind}` }, text);
      if (rules?.length) line.append(el("small", {}, ` [${rules.join(", ")}]`));
      list.append(line);
    }
    this.shownLines = lines;
    if (!list.parentNode) this.parts.story.replaceChildren(el("h2", {}), list);
    this.parts.story.querySelector("h2").textContent = this.say("story");
    requestAnimationFrame(() => (list.scrollTop = list.scrollHeight)); // when all is laid out anyway
  }
}

function says(field, engine) {
  const value = engine.value(field.index);
  return field.type[0] === "int" && !field.type[2] ? value !== NONE : holds(field.type, value);
}

/** Names in their order, the same ones counted. */
function counted(names) {
  const found = new Map();
  for (const { text, kind } of names) found.set(text, [(found.get(text)?.[0] ?? 0) + 1, kind]);
  return [...found].map(([name, [count, kind]]) => ({ text: count > 1 ? `${count} × ${name}` : name, kind }));
}

/** A text as it is compared with what was typed: without capitals and accents. */
function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll(MINUS, "-");
}

function named(language) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  } catch {
    return language;
  }
}

/** The first of the reader's languages that there is; else the game's own. */
function preferred(facts) {
  if (facts.spoken) return facts.spoken === facts.language ? "" : facts.spoken;
  for (const each of navigator.languages ?? []) {
    const code = each.split("-")[0];
    if (code === facts.language) return "";
    if (facts.languages.includes(code)) return code;
  }
  return "";
}
