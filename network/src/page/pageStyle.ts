/** The page's style: system fonts, both color schemes, no external resources. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --band: #f3f5f8;
  --link: #0b5cad; --good: #116329; --bad: #a40e26; --focus: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1318; --ink: #e6e9ee; --soft: #a2abb6; --line: #323a44; --band: #181d24;
    --link: #7cb7ff; --good: #6fd08c; --bad: #ff9492; --focus: #7cb7ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
}
a { color: var(--link); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 2px;
}
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .25rem .5rem; }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1rem; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; }
header p { margin: 0; }
.name { font-weight: 700; font-size: 1.15rem; }
.name a { color: inherit; text-decoration: none; }
.live { color: var(--soft); flex: 1 1 14rem; }
form { display: flex; gap: .5rem; flex: 1 1 22rem; }
input { flex: 1; min-width: 0; }
input, button {
  font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--soft); border-radius: .3rem; padding: .3rem .6rem;
}
button { cursor: pointer; background: var(--band); }
h1 { font-size: 1.5rem; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td { overflow-wrap: anywhere; min-width: 4.5rem; }
td p { margin: .25rem 0 0; }
.id { font-family: ui-monospace, monospace; }
td a.id { white-space: nowrap; }
form label { align-self: center; }
#found { overflow-wrap: anywhere; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.soft { color: var(--soft); }
.grid { display: grid; gap: 0 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); }
.grid > section { min-width: 0; }
ul.tree, ul.tree ul { list-style: none; margin: 0; padding: 0 0 0 .9rem; border-left: 2px solid var(--line); }
ul.tree { font-family: ui-monospace, monospace; font-size: .88rem; }
ul.tree li { overflow-wrap: anywhere; padding: .1rem 0; }
pre { background: var(--band); padding: .75rem; overflow-x: auto; font-size: .85rem; }
ul.plain { list-style: none; margin: 0; padding: 0; }
code { font-family: ui-monospace, monospace; font-size: .88rem; overflow-wrap: anywhere; }
form.call { flex-direction: column; max-width: 44rem; }
.field { display: flex; flex-direction: column; gap: .15rem; align-self: stretch; margin: .25rem 0; }
.buttons { display: flex; gap: .5rem; margin: .5rem 0; }
select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .3rem; padding: .3rem .6rem; }
button:disabled { opacity: .5; cursor: progress; }
a.flame { display: block; overflow-x: auto; }
a.flame img { max-width: 100%; height: auto; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
footer { color: var(--soft); margin: 2.5rem auto 2rem; }
@media (prefers-reduced-motion: no-preference) { .fresh { animation: fresh 1.2s ease-out; } }
@keyframes fresh { from { background: var(--band); } }
`;
