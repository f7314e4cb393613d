// The earnings page: shows the extension's data as text, and draws the bars.
(() => {
  const editor = acquireVsCodeApi();
  const byId = (id) => document.getElementById(id);

  const set = (id, text) => {
    byId(id).textContent = text;
  };

  function bar(share) {
    const namespace = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(namespace, 'svg');
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('viewBox', '0 0 1 1');
    svg.setAttribute('preserveAspectRatio', 'none');
    const rect = document.createElementNS(namespace, 'rect');
    rect.setAttribute('width', String(share));
    rect.setAttribute('height', '1');
    svg.append(rect);
    return svg;
  }

  function bars(id, entries) {
    byId(id).replaceChildren(
      ...entries.map(({ name, amount, spoken, share }) => {
        const item = document.createElement('li');
        item.tabIndex = 0;
        item.title = spoken;
        item.setAttribute('aria-label', spoken);
        const label = document.createElement('span');
        label.textContent = name;
        const value = document.createElement('span');
        value.className = 'amount';
        value.textContent = amount;
        item.append(bar(share), label, value);
        return item;
      }),
    );
    byId(id).hidden = entries.length === 0;
    byId(`${id}-title`).hidden = entries.length === 0;
  }

  function show({ total, today, thisWeek, uniquePayers, note, days, routes }) {
    set('total', total);
    set('today', today);
    set('week', thisWeek);
    set('payers', uniquePayers);
    set('note', note);
    bars('days', days);
    bars('routes', routes);
  }

  function showNext(next) {
    const button = byId('next');
    button.hidden = next === undefined;
    button.textContent = next?.label ?? '';
    button.onclick = () => editor.postMessage({ kind: 'run', command: next.command });
  }

  const ask = (kind) =>
    editor.postMessage({
      kind,
      period: byId('period').value,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });

  window.addEventListener('message', ({ data }) => {
    const isSummary = data.kind === 'summary';
    byId('summary').hidden = !isSummary;
    byId('export').disabled = !isSummary;
    byId('message').hidden = isSummary;
    showNext(data.next);
    if (isSummary) show(data.face);
    else set('message', data.text);
  });
  byId('period').value = editor.getState()?.period ?? 'all';
  byId('period').addEventListener('change', () => {
    editor.setState({ period: byId('period').value });
    ask('period');
  });
  byId('export').addEventListener('click', () => ask('export'));
  ask('ready');
})();
