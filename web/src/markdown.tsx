import { Lexer } from 'marked'
import type { Token, Tokens } from 'marked'
import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { nestsTooDeep, opensTooDeep } from './nesting'
import { Artifact, artifactIdOf } from './parts/artifact'
import { t } from './language'

/**
 * Markdown becomes elements, never HTML text: what a model writes can name no tag, attribute or script of its own, and
 * raw HTML in it is shown as the characters it is.
 */
export function Markdown({ text }: { text: string }): JSX.Element {
  const tokens = useMemo(() => parse(text), [text])
  if (tokens === null) return <p class="plain">{text}</p>
  return <div class="markdown">{blocks(tokens)}</div>
}

/** Null for what no reader could follow; the lexer goes as deep as a text asks, and would run out of stack. */
function parse(text: string): Token[] | null {
  if (opensTooDeep(text)) return null
  const tokens = new Lexer({ gfm: true, breaks: true }).lex(text)
  return nestsTooDeep(tokens) ? null : tokens
}

const SAFE_LINK = /^(https?:|mailto:)/i

function blocks(tokens: Token[]): ComponentChildren {
  return tokens.map((token, index) => <Block key={index} token={token} />)
}

function Block({ token }: { token: Token }): JSX.Element | null {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens)}</p>
    case 'heading':
      return (
        <p class={`heading depth-${(token as Tokens.Heading).depth}`}>{inline((token as Tokens.Heading).tokens)}</p>
      )
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens)}</blockquote>
    case 'list':
      return <List list={token as Tokens.List} />
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'hr':
      return <hr />
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return <span>{tokens ? inline(tokens) : text}</span>
    }
    default:
      return <p>{token.raw}</p>
  }
}

function List({ list }: { list: Tokens.List }): JSX.Element {
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.task ? <input type="checkbox" checked={item.checked ?? false} disabled aria-label={item.text} /> : null}
      {blocks(item.tokens)}
    </li>
  ))
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

function Table({ table }: { table: Tokens.Table }): JSX.Element {
  return (
    <div class="scroll-x" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index}>{inline(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(tokens: Token[]): ComponentChildren {
  return tokens.map((token, index) => <Inline key={index} token={token} />)
}

function Inline({ token }: { token: Token }): JSX.Element {
  switch (token.type) {
    case 'strong':
      return <strong>{inline((token as Tokens.Strong).tokens)}</strong>
    case 'em':
      return <em>{inline((token as Tokens.Em).tokens)}</em>
    case 'del':
      return <del>{inline((token as Tokens.Del).tokens)}</del>
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link href={(token as Tokens.Link).href}>{inline((token as Tokens.Link).tokens)}</Link>
    case 'image':
      return <Picture image={token as Tokens.Image} />
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return <>{tokens ? inline(tokens) : withArtifacts(text)}</>
    }
    case 'escape':
      return <>{(token as Tokens.Escape).text}</>
    default:
      return <>{token.raw}</>
  }
}

function Link({ href, children }: { href: string; children: ComponentChildren }): JSX.Element {
  const id = artifactIdOf(href)
  if (id !== undefined) return <Artifact id={id} label={children} />
  if (!SAFE_LINK.test(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** A picture from elsewhere would tell its server who reads this: it is a link to follow on purpose. */
function Picture({ image }: { image: Tokens.Image }): JSX.Element {
  const id = artifactIdOf(image.href)
  if (id !== undefined) return <Artifact id={id} label={image.text} />
  return <Link href={image.href}>{`${image.text || t().talk.imageHere} ↗`}</Link>
}

/** A bare reference to a file of ours in running text. */
function withArtifacts(text: string): ComponentChildren {
  return text.split(/(\/api\/v1\/artifacts\/[0-9a-f-]{36})/).map((piece, index) => {
    const id = artifactIdOf(piece)
    return id === undefined ? piece : <Artifact key={index} id={id} label={null} />
  })
}
