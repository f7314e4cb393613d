// The page of a report. Its buttons run commands of the extension.
(() => {
  const editor = acquireVsCodeApi();
  const { key } = JSON.parse(document.querySelector('main').dataset.words);
  editor.setState({ key });
  for (const button of document.querySelectorAll('button[data-command]')) {
    button.addEventListener('click', () =>
      editor.postMessage({ kind: 'run', command: button.dataset.command }),
    );
  }
  for (const button of document.querySelectorAll('button[data-kind]')) {
    button.addEventListener('click', () => editor.postMessage({ kind: button.dataset.kind }));
  }
})();
