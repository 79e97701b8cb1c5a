import { wire } from './wire.ts'

const withBody = (head: string, body: string): Uint8Array =>
  wire(
    `${head}Content-Type: application/sdp\nContent-Length: ${body.replaceAll('\n', '\r\n').length}\n\n${body}`,
  )

const SDP = `v=0
o=alice 2890844526 2890844526 IN IP4 client.atlanta.example.com
s=-
c=IN IP4 192.0.2.101
t=0 0
m=audio 49172 RTP/AVP 0 8 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-15
`

const DIALOG = `From: "Alice" <sip:alice@atlanta.example.com>;tag=9fxced76sl
To: Bob <sip:bob@biloxi.example.com>;tag=314159
Call-ID: 3848276298220188511@atlanta.example.com
`

/** Messages as they travel, after the call flows of the RFCs named, by what they are. */
export const TRACES: Readonly<Record<string, Uint8Array>> = {
  // RFC 3665, 3.3: with the answer to a challenge.
  invite: withBody(
    `INVITE sip:bob@biloxi.example.com SIP/2.0
Via: SIP/2.0/UDP client.atlanta.example.com:5060;branch=z9hG4bK74bf9;rport
Max-Forwards: 70
Route: <sip:ss1.atlanta.example.com;lr>
From: "Alice" <sip:alice@atlanta.example.com>;tag=9fxced76sl
To: Bob <sip:bob@biloxi.example.com>
Call-ID: 3848276298220188511@atlanta.example.com
CSeq: 2 INVITE
Contact: <sip:alice@client.atlanta.example.com;transport=udp>
Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, PRACK, UPDATE
Supported: 100rel, timer
Session-Expires: 1800;refresher=uac
Min-SE: 90
Proxy-Authorization: Digest username="alice", realm="atlanta.example.com", nonce="wf84f1ceczx41ae6cbe5aea9c8e88d359", opaque="", uri="sip:bob@biloxi.example.com", response="42ce3cef44b22f50c6a6071bc8"
`,
    SDP,
  ),
  proxyChallenge: wire(`SIP/2.0 407 Proxy Authorization Required
Via: SIP/2.0/UDP client.atlanta.example.com:5060;branch=z9hG4bK74b43;received=192.0.2.101;rport=5060
${DIALOG}CSeq: 1 INVITE
Proxy-Authenticate: Digest realm="atlanta.example.com", qop="auth,auth-int", nonce="f84f1cec41e6cbe5aea9c8e88d359", opaque="", stale=FALSE, algorithm=SHA-256
Proxy-Authenticate: Digest realm="atlanta.example.com", qop="auth", nonce="f84f1cec41e6cbe5aea9c8e88d359", opaque="", stale=FALSE, algorithm=MD5
Content-Length: 0

`),
  // RFC 3262: a reliable provisional response, and its acknowledgement.
  progress: withBody(
    `SIP/2.0 183 Session Progress
Via: SIP/2.0/UDP client.atlanta.example.com:5060;branch=z9hG4bK74bf9;received=192.0.2.101
Record-Route: <sip:ss2.biloxi.example.com;lr>, <sip:ss1.atlanta.example.com;lr>
${DIALOG}CSeq: 2 INVITE
Contact: <sip:bob@client.biloxi.example.com;transport=tcp>
Require: 100rel
RSeq: 988789
`,
    SDP,
  ),
  prack: wire(`PRACK sip:bob@client.biloxi.example.com;transport=tcp SIP/2.0
v: SIP/2.0/TCP client.atlanta.example.com;branch=z9hG4bK74bfa
Route: <sip:ss1.atlanta.example.com;lr>
Route: <sip:ss2.biloxi.example.com;lr>
${DIALOG}CSeq: 3 PRACK
RAck: 988789 2 INVITE
Max-Forwards: 70
l: 0

`),
  answer: withBody(
    `SIP/2.0 200 OK
Via: SIP/2.0/TLS [2001:db8::10]:5061;branch=z9hG4bK74bf9;received=2001:db8::10
Record-Route: <sip:ss2.biloxi.example.com;lr>, <sip:ss1.atlanta.example.com;lr>
${DIALOG}CSeq: 2 INVITE
Contact: "Bob, at work" <sips:bob@[2001:db8::20]:5061>;expires=3600;q=0.7
Session-Expires: 1800;refresher=uas
Require: timer
`,
    SDP,
  ),
  acknowledgement: wire(`ACK sip:bob@client.biloxi.example.com SIP/2.0
Via: SIP/2.0/UDP client.atlanta.example.com:5060;branch=z9hG4bK74b76
Max-Forwards: 70
${DIALOG}CSeq: 2 ACK
Content-Length: 0

`),
  // RFC 3326: why the call ends.
  bye: wire(`BYE sip:alice@client.atlanta.example.com SIP/2.0
Via: SIP/2.0/UDP client.biloxi.example.com:5060;branch=z9hG4bKnashds7
Max-Forwards: 69
${DIALOG}CSeq: 1 BYE
Reason: Q.850;cause=16;text="Terminated", SIP;cause=200
Content-Length: 0

`),
  unavailable: wire(`SIP/2.0 503 Service Unavailable
Via: SIP/2.0/UDP client.atlanta.example.com:5060;branch=z9hG4bK74bf9
${DIALOG}CSeq: 2 INVITE
Retry-After: 120 (over capacity)
Warning: 399 gw.example "Congestion, try later"
Content-Length: 0

`),
  register: wire(`REGISTER sips:ss2.biloxi.example.com SIP/2.0
Via: SIP/2.0/TLS client.biloxi.example.com:5061;branch=z9hG4bKnashd92
Max-Forwards: 70
From: Bob <sips:bob@biloxi.example.com>;tag=ja743ks76zlflH
To: Bob <sips:bob@biloxi.example.com>
Call-ID: 1j9FpLxk3uxtm8tn@biloxi.example.com
CSeq: 2 REGISTER
Contact: *
Expires: 0
Content-Length: 0

`),
  cancel: wire(`CANCEL tel:+1-201-555-0123;phone-context=example.com SIP/2.0
Via: SIP/2.0/UDP client.atlanta.example.com:5060;branch=z9hG4bK74bf9
Max-Forwards: 70
f: <sip:alice@atlanta.example.com>;tag=9fxced76sl
t: <sip:bob@biloxi.example.com>
i: 3848276298220188511@atlanta.example.com
CSeq: 2 CANCEL
l: 0

`),
}
