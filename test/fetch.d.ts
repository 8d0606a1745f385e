// Node's fetch needs `duplex` to send a stream as body; the browser types don't have it.

interface RequestInit {
  duplex?: 'half';
}
