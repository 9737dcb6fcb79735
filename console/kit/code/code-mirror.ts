import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { python } from '@codemirror/lang-python';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { Annotation, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import { completeRecordFields } from './record-completion.ts';

/** Something wrong with a line, counted from 1. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

export interface CodeMirrorOptions {
  readonly label: string;
  /** The id of a code language; others than Python look like JavaScript. */
  readonly language: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** The parts that CodeMirror's own style tells apart by colour, with the names of ours. */
const ROLES: Readonly<Record<string, string>> = {
  '#708': 'keyword',
  '#219': 'literal',
  '#164': 'literal',
  '#a11': 'text',
  '#e40': 'pattern',
  '#00f': 'name',
  '#085': 'type',
  '#167': 'type',
  '#00c': 'name',
  '#940': 'comment',
  '#f00': 'invalid',
};

/** Colours are custom properties, so that they follow the theme without the editor being made again. */
const highlighting = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => {
    const role = ROLES[String(color)];
    return role ? { ...spec, color: `var(--ts-code-${role})` } : spec;
  }),
);

/** Marks a change that was not typed. */
const replaced = Annotation.define<true>();

const look = EditorView.theme({
  '&': { color: 'var(--bs-body-color)', backgroundColor: 'var(--bs-body-bg)', fontSize: '13px', height: '100%' },
  '.cm-content': { caretColor: 'var(--bs-emphasis-color)', fontFamily: 'var(--bs-font-monospace)' },
  '.cm-scroller': { fontFamily: 'var(--bs-font-monospace)', lineHeight: '1.5' },
  '.cm-gutters': {
    color: 'var(--bs-secondary-color)',
    backgroundColor: 'var(--bs-tertiary-bg)',
    borderRight: '1px solid var(--bs-border-color)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--ts-code-active)' },
  '&.cm-focused': { outline: '2px solid var(--ts-accent)', outlineOffset: '-1px' },
  '.cm-line ::selection, .cm-line::selection': { backgroundColor: 'var(--ts-code-selection)' },
  '.cm-tooltip': {
    color: 'var(--bs-body-color)',
    backgroundColor: 'var(--bs-tertiary-bg)',
    border: '1px solid var(--bs-border-color)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--bs-emphasis-color)',
    backgroundColor: 'var(--ts-code-selection)',
  },
  '.cm-fault': { backgroundColor: 'var(--bs-danger-bg-subtle)' },
  '.cm-fault-text': { color: 'var(--bs-danger-text-emphasis)', padding: '0 6px', fontSize: '12px', whiteSpace: 'pre-wrap' },
});

class FaultText extends WidgetType {
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
  override eq(other: FaultText): boolean {
    return other.text === this.text;
  }
  toDOM(): HTMLElement {
    const shown = document.createElement('div');
    shown.className = 'cm-fault-text';
    shown.textContent = this.text;
    return shown;
  }
}

const setFaults = StateEffect.define<readonly Fault[]>();

/** Marks stay with their lines while these move, until others are set. */
const faultMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    const given = effects.find((effect) => effect.is(setFaults));
    return given ? toMarks(state, given.value) : marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function toMarks({ doc }: EditorState, faults: readonly Fault[]): DecorationSet {
  const inside = faults.filter(({ line }) => line >= 1 && line <= doc.lines);
  return Decoration.set(
    inside.flatMap(({ line, message }) => {
      const { from, to } = doc.line(line);
      const below = Decoration.widget({ widget: new FaultText(message), block: true, side: 1 });
      return [Decoration.line({ class: 'cm-fault' }).range(from), below.range(to)];
    }),
    true,
  );
}

/**
 * Inserts text typed over a selection past the browser, which leaves styled elements behind that the content security
 * policy refuses and complains about.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    if (event.inputType !== 'insertText' || text === null || empty || view.composing || view.state.readOnly) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
    const isTaken = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});

/** Grammar and indentation of a language. */
const grammarOf = (language: string): Extension =>
  language === 'python'
    ? [python(), indentUnit.of('    ')]
    : // The superset of both languages that become JavaScript.
      [javascript({ typescript: true }), indentUnit.of('  ')];

/** Completion of names: those of the grammar, and the fields of records. */
const completionFor = (language: string): Extension => {
  const autocomplete = completeRecordFields(language);
  return [autocompletion({ icons: false }), EditorState.languageData.of(() => [{ autocomplete }])];
};

const extensionsFor = ({ label, language, readOnly, onChange }: CodeMirrorOptions): Extension => [
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  EditorView.lineWrapping,
  grammarOf(language),
  readOnly ? [] : completionFor(language),
  syntaxHighlighting(highlighting),
  look,
  faultMarks,
  typedOver,
  EditorState.readOnly.of(readOnly),
  EditorView.contentAttributes.of({ 'aria-label': label }),
  // Escape, then Tab, leaves the editor: CodeMirror lets one Tab pass after an Escape.
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...(readOnly ? [] : [indentWithTab])]),
  EditorView.updateListener.of((update) => {
    const isReplaced = update.transactions.some((transaction) => transaction.annotation(replaced));
    if (update.docChanged && !isReplaced) onChange(update.state.doc.toString());
  }),
];

/** The content security policy lets no styles into the page; into a shadow root they come as adopted style sheets. */
export function openCodeMirror(host: HTMLElement, options: CodeMirrorOptions): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const state = EditorState.create({ doc: options.text, extensions: extensionsFor(options) });
  return new EditorView({ state, parent: root, root });
}

/** Whoever gives another text knows it: `onChange` is called for what is typed alone. */
export function replaceText(view: EditorView, text: string): void {
  if (view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: replaced.of(true) });
}

export function showFaults(view: EditorView, faults: readonly Fault[]): void {
  const [first] = faults;
  const at = first && first.line <= view.state.doc.lines ? view.state.doc.line(first.line).from : undefined;
  view.dispatch({
    effects: [setFaults.of(faults), ...(at === undefined ? [] : [EditorView.scrollIntoView(at, { y: 'center' })])],
  });
}
