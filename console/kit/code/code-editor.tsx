import type { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import '../../styles/code-colors.css';
import '../../styles/code-editor.css';
import { Failure, Waiting } from '../notices.tsx';
import type { Fault } from './code-mirror.ts';

interface CodeEditorProps {
  /** Accessible label of the editor. */
  readonly label: string;
  readonly text: string;
  /** The id of the code language that it is written in. */
  readonly language?: string | null;
  readonly onChange?: (text: string) => void;
  /** Lines with something wrong, said below each of them. */
  readonly faults?: readonly Fault[];
}

type Editing = typeof import('./code-mirror.ts');
const NO_FAULTS: readonly Fault[] = [];

/** An editor for programs, fetched when it is first shown. Without `onChange` the text can only be read. */
export function CodeEditor({ label, text, language, onChange, faults = NO_FAULTS }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  /** Texts since the editor and `text` were last the same: an earlier one that comes back as `text` must not undo what was typed after it. */
  const typed = useRef<string[]>([]);
  const newest = useRef({ text, onChange });
  newest.current = { text, onChange };
  const [editing, setEditing] = useState<Editing>();
  const [error, setError] = useState<unknown>();
  const readOnly = onChange === undefined;

  useEffect(() => {
    import('./code-mirror.ts').then(setEditing, setError);
  }, []);
  useEffect(() => {
    if (!editing) return;
    const opened = editing.openCodeMirror(host.current!, {
      label,
      language: language ?? '',
      text: newest.current.text,
      readOnly,
      onChange: (changed) => {
        typed.current.push(changed);
        newest.current.onChange?.(changed);
      },
    });
    typed.current = [];
    view.current = opened;
    return () => opened.destroy();
  }, [editing, label, language, readOnly]);
  useEffect(() => {
    if (view.current?.state.doc.toString() === text) typed.current = [];
    else if (view.current && !typed.current.includes(text)) editing?.replaceText(view.current, text);
  }, [editing, text]);
  useEffect(() => {
    if (view.current) editing?.showFaults(view.current, faults);
  }, [editing, faults]);

  return (
    <>
      <Failure error={error} />
      <div ref={host} class="code-editor" />
      {!editing && !error && <Waiting what="Loading the editor" />}
      {!readOnly && (
        <p class="form-text mt-1 mb-0">
          Tab indents. <kbd>Esc</kbd>, then <kbd>Tab</kbd>, leaves the editor.
        </p>
      )}
    </>
  );
}
