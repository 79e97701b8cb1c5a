import { describe, expect, test } from 'vitest'
import { createFakeNetwork } from '../../test/support/fake-network.ts'
import { openMediaSockets } from './media-ports.ts'

const address = '127.0.0.1'

describe('RTP has an even port, and RTCP the next', () => {
  test('where the system chooses', async () => {
    const { openSocket } = createFakeNetwork()
    const odd = await openSocket(address, 0)
    await openSocket(address, odd.port + 3)
    const { rtp, rtcp } = await openMediaSockets({ open: openSocket, address, random: Math.random })
    expect([rtp.port % 2, rtcp.port - rtp.port]).toEqual([0, 1])
  })

  test('of a range, each pair once, from a random one on, and those that were closed again', async () => {
    const { openSocket } = createFakeNetwork()
    const openIn = () =>
      openMediaSockets({
        open: openSocket,
        address,
        range: { first: 30_001, last: 30_007 },
        random: () => 0.5,
      })
    const pairs = [await openIn(), await openIn(), await openIn()]
    expect(pairs.map(({ rtp, rtcp }) => [rtp.port, rtcp.port])).toEqual([
      [30_004, 30_005],
      [30_006, 30_007],
      [30_002, 30_003],
    ])
    await expect(openIn()).rejects.toThrow('No pair of UDP ports is free')
    pairs[1]?.rtp.close()
    await expect(openIn()).rejects.toThrow('No pair of UDP ports is free')
    pairs[1]?.rtcp.close()
    expect((await openIn()).rtp.port).toBe(30_006)
  })
})

test('an address of another machine is reported as it is', async () => {
  const open = () => Promise.reject(new Error('EADDRNOTAVAIL'))
  await expect(openMediaSockets({ open, address, random: Math.random })).rejects.toThrow('EADDRNOTAVAIL')
})
