import type { ServiceFile } from '../../src/machine/index.ts';

/** A discovery file of a service on the embedded network. @param pid of this process, so that it counts as running */
export function serviceFileOf(pid: number = process.pid): ServiceFile {
  return {
    version: 1,
    pid,
    startedAt: '2026-01-01T00:00:00.000Z',
    network: {
      id: 'stellar:testnet',
      passphrase: 'Test SDF Network ; September 2015',
      embedded: true,
      rpcUrl: 'http://127.0.0.1:8000/rpc',
      rpcTlsUrl: 'https://localhost:8000/rpc',
      certificateAuthorityFile: '/data/ca.pem',
      horizonUrl: 'http://127.0.0.1:8000',
      friendbotUrl: 'http://127.0.0.1:8000/friendbot',
    },
    facilitatorUrl: 'http://127.0.0.1:4021',
    policyGatewayUrl: null,
  };
}
