/** A member that the client sets for streamed bodies, which the types of the DOM lack. */
interface RequestInit {
  duplex?: 'half'
}
