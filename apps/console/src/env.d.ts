/** The DOM's types lack it, though the client's uploads send it. https://fetch.spec.whatwg.org/#dom-requestinit-duplex */
interface RequestInit {
  duplex?: 'half'
}
