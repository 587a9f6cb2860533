/** Style sheet of the page, for light and dark mode. */
export const STYLE = `
:root {
  --paper: #fbfbfa; --card: #fff; --ink: #1d2126; --soft: #667079; --line: #e4e6e8;
  --plain: #5b84b1; --fine: #2f7a58; --moved: #8f6716; --amber: #c09034; --broken: #bb463f; --link: #2c5d8f; --edge: #b9c0c7;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --card: #1b1f23; --ink: #e3e6e8; --soft: #929ca5; --line: #2d3338;
    --plain: #6d97c5; --fine: #5bb38a; --moved: #d3a750; --amber: #d3a750; --broken: #e0766f; --link: #8fb9e3; --edge: #4a535b;
  }
}
* { box-sizing: border-box; margin: 0; padding: 0; }
body { background: var(--paper); color: var(--ink); font-variant-numeric: tabular-nums; }
main { max-width: 1160px; margin: 0 auto; padding: 56px 32px 64px; }
h1 { font-size: 30px; font-weight: 600; letter-spacing: -0.02em; line-height: 1.2; }
h2 { font-size: 17px; font-weight: 600; letter-spacing: -0.01em; }
.note, .when, .total, footer { color: var(--soft); }
.when { margin-left: 12px; }
.total { font-weight: 400; margin-left: 6px; }
.tiles { display: grid; grid-template-columns: repeat(6, 1fr) auto; gap: 28px 20px;
  margin: 36px 0 32px; }
.tile dt { color: var(--soft); font-size: 13px; }
.tile dd { font-size: 26px; font-weight: 600; letter-spacing: -0.02em; line-height: 1.3; }
.tile dd.detail { white-space: nowrap; color: var(--soft); font-size: 13px; font-weight: 400; letter-spacing: 0; }
.tile.broken dd:not(.detail) { color: var(--broken); }
nav { display: flex; flex-wrap: wrap; gap: 4px 22px; padding: 14px 0; font-size: 14px;
  border-block: 1px solid var(--line); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
.panels { columns: 2; column-gap: 20px; }
main > .panel { padding-top: 20px; margin-top: 32px; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 20px 24px 22px; margin-bottom: 20px; break-inside: avoid; }
.panel h2 { margin-bottom: 12px; font-size: 15px; }
.bars { list-style: none; font-size: 14px; }
.bars li { display: grid; grid-template-columns: minmax(0, 13em) 1fr 4.4em 4.8em; gap: 10px;
  align-items: center; padding: 3px 0; }
.bars .label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bars svg { width: 100%; height: 8px; border-radius: 2px; }
.count, .share { text-align: right; white-space: nowrap; }
.share { color: var(--soft); }
.plain { fill: var(--plain); background: var(--plain); }
rect.fine { fill: var(--fine); }
rect.moved { fill: var(--amber); }
rect.broken, i.broken { fill: var(--broken); background: var(--broken); }
.reach { fill: transparent; }
g:hover .reach { fill: var(--line); }
.timeline svg { display: block; width: 100%; height: 150px; border-bottom: 1px solid var(--line);
  border-top: 1px dashed var(--line); }
.area { fill: var(--plain); opacity: 0.16; pointer-events: none; }
.line { fill: none; background: none; stroke: var(--plain); stroke-width: 1.6; vector-effect: non-scaling-stroke;
  pointer-events: none; }
.line.moved { stroke: var(--amber); }
.lines.timeline svg { height: 120px; }
#log .panels { margin-top: 14px; }
.timeline .scale, figcaption { color: var(--soft); font-size: 13px; }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px;
  margin-top: 6px; }
.key i { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin: 0 6px 0 10px; }
main > section { padding-top: 44px; }
main > section .note { margin: 2px 0 14px; font-size: 14px; }
input { font: inherit; font-size: 14px; color: inherit; background: var(--card); width: 260px;
  max-width: 100%; border: 1px solid var(--line); border-radius: 8px; padding: 6px 12px;
  margin-bottom: 12px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.frame { background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
th button { font: inherit; font-size: 13px; color: var(--soft); background: none; border: 0;
  padding: 10px 16px; cursor: pointer; }
th button:hover { color: var(--ink); }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
td { padding: 8px 16px; vertical-align: top; overflow-wrap: anywhere; }
tr + tr td { border-top: 1px solid var(--line); }
.number, .bytes, .ms { text-align: right; white-space: nowrap; width: 1%; }
.status { white-space: nowrap; }
th.status, td.status { width: 1%; }
span.status.fine { color: var(--fine); }
span.status.moved { color: var(--moved); }
span.status.broken { color: var(--broken); }
.none, .shows, .way, .rest { color: var(--soft); }
.shows, .way { font-size: 13px; }
.way { display: block; }
.more { font: inherit; color: var(--link); background: none; border: 0; cursor: pointer; margin-top: 4px; }
.more:hover { text-decoration: underline; }
.rest { display: block; margin-top: 4px; }
td ol { list-style: none; }
li + li { margin-top: 6px; }
.bars li + li { margin-top: 0; }
td.url, td.urls { min-width: 220px; }
.pager { display: flex; align-items: center; gap: 8px; margin-top: 10px; font-size: 14px;
  color: var(--soft); }
.pager span { margin-right: auto; }
.pager button { font: inherit; color: var(--ink); background: var(--card); padding: 3px 14px;
  border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
.pager button:disabled { color: var(--soft); opacity: 0.5; cursor: default; }
i.fine { background: var(--fine); }
i.moved { background: var(--amber); }
#graph-view { min-height: 600px; }
.bar { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 14px; font-size: 13px; color: var(--soft); }
.bar .key { margin: 0 0 10px auto; }
.graph { display: grid; grid-template-columns: minmax(0, 1fr) 320px; height: 560px; background: var(--card);
  border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.stage { position: relative; overflow: hidden; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: grab; touch-action: none; }
canvas:focus-visible { outline-offset: -2px; }
.zoom { position: absolute; right: 12px; bottom: 12px; display: flex; gap: 6px; }
.zoom button { font: inherit; font-size: 14px; min-width: 34px; padding: 3px 10px; color: var(--ink);
  background: var(--card); border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
.tip { position: absolute; left: 12px; top: 12px; max-width: calc(100% - 24px); padding: 4px 10px; font-size: 13px;
  background: var(--paper); border: 1px solid var(--line); border-radius: 8px; pointer-events: none;
  overflow: hidden; text-overflow: ellipsis; white-space: pre; }
.tip[hidden] { display: none; }
.details { border-left: 1px solid var(--line); padding: 16px 20px; overflow: auto; font-size: 14px; }
.details p, .details ul { overflow-wrap: anywhere; }
.details h3 { font-size: 14px; font-weight: 600; margin: 16px 0 6px; }
.details h3.to { border-left: 3px solid var(--link); padding-left: 8px; }
.details h3.from { border-left: 3px solid var(--amber); padding-left: 8px; }
.details ul { list-style: none; }
.details button { text-align: left; font-size: 13px; margin: 0; }
.details .more.broken { color: var(--broken); background: none; }
footer { margin-top: 64px; font-size: 13px; }
@media (max-width: 1000px) {
  .tiles { grid-template-columns: repeat(4, 1fr); }
  .panels { columns: 1; }
}
@media (max-width: 720px) {
  main { padding: 32px 16px 48px; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 20px; margin: 28px 0; }
  .panel, main > .panel { padding: 16px; margin-bottom: 12px; }
  .when { display: block; margin-left: 0; }
  .bars li { grid-template-columns: minmax(0, 11em) 1fr auto; }
  .share { display: none; }
  .key { order: 1; flex-basis: 100%; margin: 4px 0 0 -10px; }
  input { width: 100%; }
  .graph { grid-template-columns: minmax(0, 1fr); grid-template-rows: 60vh auto; height: auto; }
  .details { border-left: 0; border-top: 1px solid var(--line); max-height: 60vh; }
  .bar .key { margin: 0 0 10px -10px; }
  thead, table, tbody, tr, td { display: block; width: auto; }
  tr { padding: 10px 14px; }
  thead tr { display: flex; flex-wrap: wrap; gap: 2px 16px; border-bottom: 1px solid var(--line); }
  th, th.number, th.bytes, th.ms, th.status { border: 0; width: auto; }
  th button { padding: 2px 0; }
  tr + tr { border-top: 1px solid var(--line); }
  tr + tr td { border-top: 0; }
  td, td.number, td.bytes, td.ms, td.status { display: grid; grid-template-columns: 7em minmax(0, 1fr);
    gap: 10px; padding: 2px 0; text-align: left; white-space: normal; min-width: 0; width: auto; }
  td:has(> .none) { display: none; }
  td::before { content: attr(data-name); color: var(--soft); font-size: 13px; }
}
@media print {
  input, .pager button { display: none; }
}
`
