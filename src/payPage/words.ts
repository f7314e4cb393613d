const ENGLISH = {
  test: 'Pay {0} with a test wallet',
  wallet: 'Pay {0} with a wallet extension',
  key: 'A test wallet is a key in this browser, for this site alone. It holds test money without value, and is gone when you clear the data of this site.',
  insecure: 'Paying here needs HTTPS or localhost. Open this page there, or pay from a terminal.',
  old: 'This browser cannot pay here. Use a newer one, or pay from a terminal.',
  otherTab: 'This is being paid for in another tab.',
  funding: 'Getting test money for the wallet …',
  signing: 'Signing {0} to {1} …',
  paying: 'Paying …',
  reading: 'Asking for what you paid for …',
  paid: 'Paid.',
  again: 'You bought this on this device.',
  offline:
    'No answer arrived. The payment may have been made. It is presented again, and never paid twice.',
  noNetwork: 'No answer arrived. Nothing was paid.',
  open: 'The payment is not decided yet. It is presented again, and never paid twice.',
  openUntil:
    'The payment is not decided yet, and can settle until ledger {0}. It is presented again, and never paid twice.',
  void: 'The earlier payment can never be made any more. Nothing was taken. You can pay again.',
  owed: 'The payment was made, and the seller does not deliver now ({0}). Try again later; do not pay again.',
  gone: 'You paid for this and it was delivered. The seller does not store it any more.',
  changed:
    'The seller changed the terms after this page was shown. Nothing was signed. Reload the page to see them.',
  failed: 'Nothing was paid: {0}',
  noWallet: 'No wallet extension with SEP-43 was found in this browser. Nothing was signed.',
  wrongNetwork: 'The wallet is on another network. Choose testnet in it. Nothing was signed.',
  retry: 'Try again',
  buyAgain: 'Buy it again',
  save: 'Save',
  saveReceipt: 'Save the receipt',
  receipt: 'Receipt',
  transaction: 'Transaction',
  ledger: 'Ledger',
  amount: 'Amount',
  from: 'Paid by',
  to: 'Paid to',
  time: 'Time',
  content: 'What you bought',
  long: 'This is long, so only its beginning is shown. Save it to have all of it.',
  binary: 'This cannot be shown here. Save it.',
};

/** The texts of the page's script; `{0}` and `{1}` are filled in. */
export type Words = Readonly<typeof ENGLISH>;

const GERMAN: Words = {
  test: '{0} mit einer Test-Wallet bezahlen',
  wallet: '{0} mit einer Wallet-Erweiterung bezahlen',
  key: 'Eine Test-Wallet ist ein Schlüssel in diesem Browser, nur für diese Website. Sie enthält Testgeld ohne Wert und ist weg, wenn Sie die Daten dieser Website löschen.',
  insecure:
    'Hier bezahlen geht nur über HTTPS oder localhost. Öffnen Sie die Seite dort, oder bezahlen Sie im Terminal.',
  old: 'Dieser Browser kann hier nicht bezahlen. Nehmen Sie einen neueren, oder bezahlen Sie im Terminal.',
  otherTab: 'Dies wird in einem anderen Tab bezahlt.',
  funding: 'Testgeld für die Wallet wird geholt …',
  signing: '{0} an {1} wird unterschrieben …',
  paying: 'Es wird bezahlt …',
  reading: 'Das Gekaufte wird geholt …',
  paid: 'Bezahlt.',
  again: 'Sie haben dies auf diesem Gerät gekauft.',
  offline:
    'Es kam keine Antwort. Die Zahlung kann erfolgt sein. Sie wird wieder vorgelegt und nie zweimal bezahlt.',
  noNetwork: 'Es kam keine Antwort. Es wurde nichts bezahlt.',
  open: 'Die Zahlung ist noch nicht entschieden. Sie wird wieder vorgelegt und nie zweimal bezahlt.',
  openUntil:
    'Die Zahlung ist noch nicht entschieden und kann bis Ledger {0} erfolgen. Sie wird wieder vorgelegt und nie zweimal bezahlt.',
  void: 'Die frühere Zahlung kann nicht mehr erfolgen. Es wurde nichts genommen. Sie können wieder bezahlen.',
  owed: 'Die Zahlung ist erfolgt, und der Verkäufer liefert gerade nicht ({0}). Versuchen Sie es später wieder; bezahlen Sie nicht noch einmal.',
  gone: 'Sie haben dies bezahlt, und es wurde geliefert. Der Verkäufer hat es nicht mehr gespeichert.',
  changed:
    'Der Verkäufer hat die Bedingungen geändert, nachdem diese Seite gezeigt wurde. Es wurde nichts unterschrieben. Laden Sie die Seite neu, um sie zu sehen.',
  failed: 'Es wurde nichts bezahlt: {0}',
  noWallet:
    'In diesem Browser ist keine Wallet-Erweiterung mit SEP-43. Es wurde nichts unterschrieben.',
  wrongNetwork:
    'Die Wallet ist in einem anderen Netzwerk. Wählen Sie darin das Testnetz. Es wurde nichts unterschrieben.',
  retry: 'Noch einmal versuchen',
  buyAgain: 'Noch einmal kaufen',
  save: 'Speichern',
  saveReceipt: 'Beleg speichern',
  receipt: 'Beleg',
  transaction: 'Transaktion',
  ledger: 'Ledger',
  amount: 'Betrag',
  from: 'Bezahlt von',
  to: 'Bezahlt an',
  time: 'Zeit',
  content: 'Was Sie gekauft haben',
  long: 'Dies ist lang, deshalb wird nur der Anfang gezeigt. Speichern Sie es, um alles zu haben.',
  binary: 'Dies kann hier nicht gezeigt werden. Speichern Sie es.',
};

/** @param language of the page */
export function wordsIn(language: string): Words {
  return language === 'de' ? GERMAN : ENGLISH;
}

/** Fills a text in. */
export function filled(text: string, ...values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? '');
}
