// Node's fetch sends a body that is a stream when it is told so; the types of browsers do not know the word.

interface RequestInit {
  duplex?: 'half';
}
