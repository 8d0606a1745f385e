import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateNames } from '../../../app/tls/certificate-names.ts';

const bare = { ownHosts: ['desk'], baseUrls: [], allowedHosts: [] };
const always = ['127.0.0.1', '::1', 'desk', 'host.docker.internal', 'localhost'];

test('covers the name of this computer, loopback and the name that containers use', () => {
  assert.deepEqual(certificateNames(bare), always);
});

test('covers the addresses of every interface except link-local ones', () => {
  const ownHosts = ['desk', '192.168.1.5', 'fe80::1', '2001:DB8:0:0::5', '127.0.0.1', '172.17.0.1'];
  assert.deepEqual(
    certificateNames({ ...bare, ownHosts }),
    [...always, '172.17.0.1', '192.168.1.5', '2001:db8::5'].toSorted(),
  );
});

test('covers base addresses and allowed names, normalized and without duplicates', () => {
  const names = certificateNames({
    ...bare,
    baseUrls: ['https://Docs.Example:8443/x', 'http://[2001:DB8::9]:1', 'http://192.168.1.9', 'no address'],
    allowedHosts: ['TRAY.lan.', 'docs.example'],
  });
  assert.deepEqual(names, [...always, 'docs.example', '2001:db8::9', '192.168.1.9', 'tray.lan'].toSorted());
});

test('omits names that a certificate can’t contain', () => {
  const ownHosts = ['my_desk'];
  const allowedHosts = ['0.0.0.0', '::', `${'a'.repeat(64)}.example`, 'a b', '', 'ünicode'];
  assert.deepEqual(
    certificateNames({ ...bare, ownHosts, allowedHosts }),
    always.filter((name) => name !== 'desk'),
  );
});
