/** The page's style: system fonts, both color schemes, nothing from other origins. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --band: #f3f5f8;
  --link: #0b5cad; --good: #116329; --warn: #7a4a00; --bad: #a40e26;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1318; --ink: #e6e9ee; --soft: #a2abb6; --line: #323a44; --band: #181d24;
    --link: #7cb7ff; --good: #6fd08c; --warn: #e8b45c; --bad: #ff9492;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .25rem .5rem; }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 1.25rem 0 .25rem; }
h2 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); margin: 0; }
form { display: grid; gap: .5rem 1rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); align-items: end; margin: 1rem 0; }
form .wide { grid-column: 1 / -1; }
label { display: block; font-size: .9rem; color: var(--soft); }
input, select, button {
  font: inherit; color: inherit; background: var(--paper); width: 100%;
  border: 1px solid var(--soft); border-radius: .3rem; padding: .35rem .6rem;
}
button { cursor: pointer; background: var(--band); width: auto; }
ol { list-style: none; margin: 0; padding: 0; }
article { border-top: 1px solid var(--line); padding: 1rem 0; }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; }
article .price { margin: 0; font-weight: 600; }
input[type=range] { padding: 0; border: 0; accent-color: var(--link); }
.facet { color: inherit; text-decoration: none; } .facet[aria-current] { font-weight: 700; text-decoration: underline; }
article p { margin: .25rem 0; overflow-wrap: anywhere; }
.why { color: var(--soft); font-size: .9rem; margin: .3rem 0; }
.url, code { font-family: ui-monospace, monospace; font-size: .9rem; overflow-wrap: anywhere; }
.badges { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; margin: .4rem 0; }
.badges li { list-style: none; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .4rem 0; font-size: .92rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--band); padding: .75rem; overflow-x: auto; font-size: .85rem; }
details { margin: .4rem 0; } summary { cursor: pointer; }
footer { color: var(--soft); margin: 2rem auto; }
`;
