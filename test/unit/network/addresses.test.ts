import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { replaceBuiltin } from '../../replace-builtin.ts';
import {
  addressKey,
  addressList,
  createForbiddenAddresses,
  formatHost,
  hostOf,
  isPrivateHost,
  plainAddress,
} from '../../../app/network/addresses.ts';
import { isHere } from '../../../app/network/own-hosts.ts';

test('all addresses of a /64 network have the same key, in any notation; other text is its own key', () => {
  const key = addressKey('2001:db8:0:1::1');
  assert.equal(addressKey('2001:0DB8::1:ffff:0:0:1'), key);
  assert.equal(addressKey('2001:db8:0:1:aaaa:bbbb:cccc:dddd'), key);
  assert.notEqual(addressKey('2001:db8:0:2::1'), key);
  assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'));
  for (const text of ['somewhere', '']) assert.equal(addressKey(text), text);
});

test('treats an IPv4-mapped address as the IPv4 address, in any notation', () => {
  for (const written of '::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:FFFF:7F00:0001 ::ffff:7f00:1%lo'.split(
    ' ',
  )) {
    assert.equal(plainAddress(written), '127.0.0.1', written);
    assert.equal(addressKey(written), '127.0.0.1', written);
    assert.ok(addressList(['127.0.0.0/8']).has(written), written);
    assert.ok(addressList([written.split('%')[0] ?? '']).has('127.0.0.1'), written);
  }
  assert.equal(plainAddress('2001:db8:ffff::1'), '2001:db8:ffff::1');
  assert.equal(plainAddress('fe80::1%eth0'), 'fe80::1');
  assert.equal(plainAddress('1:ffff:2::'), '1:ffff:2::');
});

test('doesn’t treat 6to4, NAT64 and IPv4-compatible addresses as the IPv4 address', () => {
  const list = addressList(['127.0.0.0/8']);
  for (const other of ['2002:7f00:1::', '64:ff9b::127.0.0.1', '::127.0.0.1']) {
    assert.ok(!list.has(other), other);
    assert.notEqual(addressKey(other), '127.0.0.1');
  }
});

test('forbids an IPv4 address also in every IPv6 address that embeds it', () => {
  const isForbidden = createForbiddenAddresses();
  const nat64 =
    '64:ff9b::169.254.169.254 64:ff9b::6464:64c8 64:ff9b:1::168.63.129.16 64:ff9b:1:a9fe:00a9:fe00:: 64:ff9b:1:1a9:fe:a9fe:: 64:ff9b:1:1:a9:fea9:fe00:0 64:ff9b::';
  const by6to4 = '2002:a9fe:a9fe::1 2002:6464:64c8:: 2002:e000:1::';
  const others = '169.254.169.254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::169.254.169.254 fe80::1%eth0 ::';
  for (const address of [...`${nat64} ${by6to4} ${others}`.split(' '), 'no address'])
    assert.ok(isForbidden(address), address);
  const allowed =
    '127.0.0.1 ::1 10.1.2.3 ::ffff:10.1.2.3 64:ff9b::93.184.216.34 64:ff9b:1::93.184.216.34 64:ff9b:1:5db8:d8:2200:: 2002:5db8:d822::1 fd00::1 2001:db8::1';
  for (const address of allowed.split(' ')) assert.ok(!isForbidden(address), address);
});

test('distinguishes private hosts from public ones', () => {
  const isPrivate =
    '10.0.0.1 172.20.1.1 192.168.0.9 127.0.0.1 [::1] [fd00::1] nas host.docker.internal box.local box.home.arpa FE80::1';
  for (const host of isPrivate.split(' ')) assert.equal(isPrivateHost(host), true, host);
  for (const host of ['172.32.0.1', '8.8.8.8', '[2001:db8::1]', 'docs.example', 'local.example']) {
    assert.equal(isPrivateHost(host), false, host);
  }
});

test('finds an address of this computer in any notation, and with a zone', (t) => {
  const own = ['192.0.2.7', 'fe80::1', '2001:db8::7'];
  replaceBuiltin(t, os, 'networkInterfaces', () => ({ eth0: own.map((address) => ({ address })) }));
  const written =
    'fe80::1%eth0 FE80:0:0::1%2 2001:0DB8:0:0:0:0:0:7 ::ffff:192.0.2.7 0:0:0:0:0:0:0:1 0:0:0:0:0:0:0:0 localhost';
  for (const here of [...own, ...written.split(' ')]) assert.equal(isHere(here), true, here);
  for (const away of ['192.0.2.8', 'fe80::2%eth0', '2001:db8::8']) assert.equal(isHere(away), false, away);
});

test('hostOf returns a host without brackets, port and uppercase letters, and formatHost adds brackets', () => {
  assert.equal(hostOf('http://[2001:DB8::1]:8790/x'), '2001:db8::1');
  assert.equal(hostOf('https://Docs.Example:1'), 'docs.example');
  assert.equal(hostOf('no address'), '');
  for (const host of ['2001:db8::1', '[2001:db8::1]']) assert.equal(formatHost(host), '[2001:db8::1]');
  assert.equal(formatHost('10.0.0.1'), '10.0.0.1');
});
