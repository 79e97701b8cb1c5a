import { createHash } from 'node:crypto'
import { Markup } from './html.ts'

/** Allows one inline text in a content security policy. */
export const sourceHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Style of the report and of the live page. The colours of both sides differ in lightness as well as in hue. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #16181d);
  --card: light-dark(#f6f7f9, #1f2229);
  --ink: light-dark(#1b1e24, #e8eaee);
  --faint: light-dark(#5b6472, #a3abb9);
  --line: light-dark(#d9dde3, #363b45);
  --v1: light-dark(#9aa7bb, #6d7a8f);
  --v2: light-dark(#2463c9, #78aaff);
  --worst: light-dark(#a3123a, #ff7d96);
  --serious: light-dark(#d9730d, #f2a65a);
  --mild: light-dark(#e3c04c, #c9ad4d);
  --errors: light-dark(#7b8494, #8e97a8);
  --good: light-dark(#14733a, #6ad391);
  --bad: light-dark(#b3142f, #ff8a9c);
  --open: light-dark(#8a5a00, #f0b95a);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; margin: 0 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
section { margin: 0 0 2.5rem; }
p { margin: 0 0 .5rem; }
small, .hint, .label, .empty, caption { color: var(--faint); font-size: .875rem; }
code { font: .8125rem/1.4 ui-monospace, monospace; }
a { color: var(--v2); }
:focus-visible { outline: 3px solid var(--v2); outline-offset: 2px; }
.headline { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin-bottom: 1rem; }
.headline .label { margin: 0; }
.stage { font-size: 1.9rem; font-weight: 700; line-height: 1.2; margin: 0; }
.advice { flex: 1 1 18rem; }
.alarm { border: 2px solid var(--bad); border-radius: .5rem; padding: .5rem .75rem; }
.badge { display: inline-block; border: 1.5px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-size: .875rem; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.open { color: var(--open); }
.plain { color: var(--faint); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .4rem 1.5rem; margin: 0; }
.facts div { border-top: 1px solid var(--line); padding-top: .25rem; }
.facts dt { color: var(--faint); font-size: .8125rem; }
.facts dd { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: start; padding-bottom: .25rem; }
th, td { text-align: start; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--faint); font-size: .8125rem; vertical-align: bottom; }
tbody th { font-weight: 500; }
td small { display: block; white-space: nowrap; }
.cell { display: block; padding: .15rem .4rem; border-radius: .25rem; }
.agree { --tint: var(--v2); }
.differ { --tint: var(--bad); }
.cell.agree, .cell.differ { background: color-mix(in srgb, var(--tint) var(--depth), transparent); }
.depth-0 { --depth: 38%; }
.depth-1 { --depth: 26%; }
.depth-2 { --depth: 17%; }
.depth-3 { --depth: 9%; }
.cell small { color: inherit; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 0 0 .5rem; padding: 0; list-style: none; color: var(--faint); font-size: .875rem; }
.key { display: inline-block; width: 1rem; height: .75rem; border-radius: 2px; background: var(--tint); }
.mark { color: var(--ink); }
.key.v1 { --tint: var(--v1); }
.key.v2 { --tint: var(--v2); }
.key.worst { --tint: var(--worst); }
.key.serious { --tint: var(--serious); }
.key.mild { --tint: var(--mild); }
.key.errors { --tint: var(--errors); }
.key.bar { background: linear-gradient(90deg, var(--worst), var(--serious), var(--mild)); }
@media (max-width: 40rem) {
  body { font-size: .9375rem; line-height: 1.4; }
  .rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .rows, .rows caption, .rows tbody, .rows tr, .rows th { display: block; }
  .rows tr { border-top: 1px solid var(--line); padding: .25rem 0; }
  .rows th, .rows td { border: 0; padding: 0; }
  .rows th { font-weight: 600; }
  section { margin-bottom: 1.5rem; }
  .facts { grid-template-columns: 1fr 1fr; }
  .rows td { display: inline-flex; gap: .35rem; margin-inline-end: .9rem; font-size: .875rem; }
  .rows td::before { content: attr(data-label); color: var(--faint); }
  .rows td small { display: inline; }
}
figure { margin: 0 0 .75rem; }
.chart.wide { display: none; }
.chart.narrow { max-width: 30rem; }
.plot { display: block; width: 100%; height: auto; font-size: 12px; }
.plot text { white-space: pre; }
@media (min-width: 50rem) {
  .chart.wide { display: block; }
  .chart.narrow { display: none; }
}
details { margin: .5rem 0; }
summary { cursor: pointer; padding: .25rem 0; }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
.card p { margin: 0 0 .25rem; }
form, .toolbar { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: 1rem; }
form[hidden], .toolbar[hidden] { display: none; }
label { flex: 1 0 100%; }
input, button { font: inherit; color: inherit; padding: .35rem .6rem; border: 1px solid var(--faint); border-radius: .4rem; background: var(--card); min-height: 2.75rem; }
input { flex: 1 1 14rem; min-width: 0; }
button { cursor: pointer; }
.toolbar p { flex: 1 1 12rem; margin: 0; color: var(--faint); font-size: .875rem; }
@media print { .chart.narrow { display: none; } .chart.wide { display: block; } .toolbar { display: none; } }
`

/** Not inside a template: the policy has the hash of the exact text. */
export const styleElement = new Markup(`<style>${STYLE}</style>`)

/** Content security policy of the report, which loads nothing and runs nothing wherever it is opened. */
export const REPORT_POLICY = `default-src 'none'; style-src ${sourceHash(STYLE)}; base-uri 'none'; form-action 'none'`
