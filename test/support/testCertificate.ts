import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate for some names that nobody but a test trusts, and its key, as PEM. */
export async function testCertificate(
  names: readonly string[],
): Promise<{ certificate: string; key: string }> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=a test',
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: CURVE,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag),
  };
}
