// The page of the earnings: shows what the extension sends, as text, and draws the bars.
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
      ...entries.map(({ name, amount, share }) => {
        const item = document.createElement('li');
        item.tabIndex = 0;
        item.title = `${name}: ${amount}`;
        item.setAttribute('aria-label', `${name}: ${amount}`);
        const label = document.createElement('span');
        label.textContent = name;
        const value = document.createElement('span');
        value.className = 'amount';
        value.textContent = amount;
        item.append(bar(share), label, value);
        return item;
      }),
    );
  }

  function show(summary) {
    set('total', summary.total);
    set('today', summary.today);
    set('week', summary.thisWeek);
    set('payers', summary.uniquePayers);
    const since = summary.since ? new Date(summary.since).toLocaleString() : undefined;
    const settlements = `${summary.count} settlement${summary.count === 1 ? '' : 's'}`;
    set(
      'since',
      since
        ? `${summary.complete ? '' : 'The last '}${settlements}, since ${since}.`
        : 'No settlements yet. Test an endpoint to see the first.',
    );
    bars('days', summary.days);
    bars('endpoints', summary.endpoints);
    for (const id of ['endpoints', 'endpoints-title'])
      byId(id).hidden = summary.endpoints.length === 0;
  }

  window.addEventListener('message', ({ data }) => {
    const isSummary = data.kind === 'summary';
    byId('summary').hidden = !isSummary;
    byId('message').hidden = isSummary;
    if (isSummary) show(data);
    else set('message', data.text);
  });
  editor.postMessage({
    kind: 'ready',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
})();
