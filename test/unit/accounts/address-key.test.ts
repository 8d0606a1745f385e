import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressKey } from '../../../app/accounts/address-key.ts';

test('an IPv4 address has one key, mapped into IPv6 or not', () => {
  assert.equal(addressKey('192.0.2.7'), '192.0.2.7');
  assert.equal(addressKey('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(addressKey('::FFFF:192.0.2.7'), '192.0.2.7');
});

test('one IPv6 network of 64 bits has one key, however it is written', () => {
  const key = addressKey('2001:db8:0:1::1');
  assert.equal(addressKey('2001:0DB8::1:ffff:0:0:1'), key);
  assert.equal(addressKey('2001:db8:0:1:aaaa:bbbb:cccc:dddd'), key);
  assert.notEqual(addressKey('2001:db8:0:2::1'), key);
  assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'));
});

test('a text that is no address is its own key', () => {
  assert.equal(addressKey('somewhere'), 'somewhere');
  assert.equal(addressKey(''), '');
});
