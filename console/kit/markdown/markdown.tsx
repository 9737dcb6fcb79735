import { useMemo } from 'preact/hooks';
import '../../styles/code-colors.css';
import '../../styles/markdown.css';
import { CopyButton } from '../copy-button.tsx';
import { type Block, parseBlocks } from './blocks.ts';
import { splitCode } from './code-words.ts';
import { type Inline, parseInlines } from './inline.ts';

/** A text in Markdown as what it means. HTML in it stays text, and nothing is fetched: pictures elsewhere are links. */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseBlocks(text), [text]);
  return (
    <div class="markdown">
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    // Headings of a text are none of the page's, whose outline people go by.
    case 'heading':
      return (
        <div class={`markdown-heading level-${Math.min(block.level, 4)}`} dir="auto">
          <Words text={block.text} />
        </div>
      );
    case 'paragraph':
      return (
        <p dir="auto">
          <Words text={block.text} />
        </p>
      );
    case 'quote':
      return (
        <blockquote dir="auto">
          <Words text={block.text} />
        </blockquote>
      );
    case 'rule':
      return <hr />;
    case 'code':
      return <CodeView language={block.language} text={block.text} />;
    case 'list':
      return <ListView block={block} />;
    case 'table':
      return <TableView block={block} />;
  }
}

const CodeView = ({ language, text }: { language: string; text: string }) => (
  <figure class="markdown-code">
    <figcaption>
      {language || 'code'}
      <CopyButton text={() => text} />
    </figcaption>
    <pre dir="ltr">
      <code>
        {splitCode(text, language).map(({ text: word, kind }, at) =>
          kind ? (
            <span key={at} class={`code-${kind}`}>
              {word}
            </span>
          ) : (
            word
          ),
        )}
      </code>
    </pre>
  </figure>
);

/** The marks are part of the text, so that a list that begins with 3 says so. */
const ListView = ({ block: { items } }: { block: Extract<Block, { kind: 'list' }> }) => (
  <ul class="markdown-list">
    {items.map(({ mark, depth, text }, at) => (
      <li key={at} style={{ '--depth': depth }} dir="auto">
        <span class="markdown-mark">{mark === '-' ? '•' : mark}</span>
        <span>
          <Words text={text} />
        </span>
      </li>
    ))}
  </ul>
);

const TableView = ({ block: { head, rows } }: { block: Extract<Block, { kind: 'table' }> }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
  <section class="markdown-table" aria-label="Table" tabIndex={0}>
    <table class="table table-sm mb-0">
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at} scope="col" dir="auto">
              <Words text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, at) => (
              <td key={at} dir="auto">
                <Words text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const Words = ({ text }: { text: string }) => <Inlines inlines={parseInlines(text)} />;

const Inlines = ({ inlines }: { inlines: readonly Inline[] }) => (
  <>
    {inlines.map((inline, at) => (
      <InlineView key={at} inline={inline} />
    ))}
  </>
);

function InlineView({ inline }: { inline: Inline }) {
  switch (inline.kind) {
    case 'text':
      return <>{inline.text}</>;
    case 'code':
      return <code>{inline.text}</code>;
    case 'strong':
      return (
        <strong>
          <Inlines inlines={inline.inlines} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Inlines inlines={inline.inlines} />
        </em>
      );
    case 'deleted':
      return (
        <del>
          <Inlines inlines={inline.inlines} />
        </del>
      );
    case 'link':
      return (
        <a href={inline.url} target="_blank" rel="noopener noreferrer">
          <Inlines inlines={inline.inlines} />
        </a>
      );
  }
}
