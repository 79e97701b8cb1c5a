import type { Markup } from './html.ts'
import { type Content, html } from './html.ts'

/** A time of the contract, which is in UTC, to the minute. */
export const timeOf = (time: string): Markup =>
  html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 16)} UTC</time>`

/** A word in a colour; the word says the same as the colour. */
export const badge = (tone: 'good' | 'bad' | 'open' | 'plain', word: string): Markup =>
  html`<span class="badge ${tone}">${word}</span>`

export const section = (id: string, title: string, ...contents: Content[]): Markup =>
  html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${contents}
  </section>`

export const emptyNote = (text: string): Markup => html`<p class="empty">${text}</p>`

export interface Table {
  readonly id: string
  readonly caption: string
  /** Headings; the first one is that of the rows. */
  readonly headings: readonly string[]
  readonly rows: readonly (readonly Content[])[]
  /** Whether rows and columns must stay side by side on a phone; otherwise each row becomes a block there. */
  readonly isGrid?: boolean
}

/**
 * A table whose first column has the headings of the rows. A region, so that the keyboard can scroll it on a narrow screen. The roles
 * keep what it means while the style sheet shows it as blocks.
 */
export function table({ id, caption, headings, rows, isGrid = false }: Table): Markup {
  const body = rows.map(
    ([heading = '', ...cells]) =>
      html`<tr role="row">
        <th scope="row" role="rowheader">${heading}</th>
        ${cells.map(
          (cell, index) =>
            html`<td role="cell" data-label="${headings[index + 1] ?? ''}"><div>${cell}</div></td>`,
        )}
      </tr>`,
  )
  const head = headings.map((heading) => html`<th scope="col" role="columnheader">${heading}</th>`)
  return html`<div class="scroll" id="${id}" role="region" aria-label="${caption}" tabindex="0">
    <table role="table" class="${isGrid ? 'grid' : 'rows'}">
      <caption>
        ${caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${head}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${body}
      </tbody>
    </table>
  </div>`
}

/** What the marks of a chart mean: a character, or the class of a colour. */
export const legend = (
  entries: readonly (readonly [mark: { colour: string } | string, meaning: string])[],
): Markup =>
  html`<ul class="legend">
    ${entries.map(
      ([mark, meaning]) =>
        html`<li>
          ${typeof mark === 'string' ? html`<span class="mark" aria-hidden="true">${mark}</span>` : html`<span class="key ${mark.colour}"></span>`}
          ${meaning}
        </li>`,
    )}
  </ul>`

/** Content that opens on demand. */
export const folded = (id: string, summary: Content, content: Content): Markup =>
  html`<details id="${id}">
    <summary id="${id}-summary">${summary}</summary>
    ${content}
  </details>`

export const facts = (entries: readonly (readonly [name: string, value: Content])[]): Markup =>
  html`<dl class="facts">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
