import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { jpeg } from '../fixtures/media.ts'
import { fitRun } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { oneFile, type RealServer, startServer } from './real-server.ts'

const MIB = 1_048_576
const FILE_BYTES = 85 * MIB
const ASKERS = 20
const folder = tempFolder()
let server: RealServer
let session: string
let path: string

beforeAll(async () => {
  server = await startServer({ dataDir: folder })
  session = await server.login()
  const run = (await (await server.call('/workouts/import', oneFile('a.fit', fitRun({ seconds: 60 })))).json()) as {
    id: string
  }
  const [photo] = (await (await server.call(`/workouts/${run.id}/media`, oneFile('a.jpg', jpeg(1000)))).json()) as [
    { id: string },
  ]
  path = `/workouts/${run.id}/media/${photo.id}`
  // a long video, mostly holes
  truncateSync(join(folder, 'files/media', photo.id), FILE_BYTES)
})
afterAll(async () => {
  await server.end('SIGKILL')
})

test.each(['bytes=9-1', `bytes=${FILE_BYTES + 9}-1`, 'bytes=0-9,20-29', 'bytes=x', `bytes=${FILE_BYTES}-`])(
  'twenty who ask for %s and read slowly cost the memory of none of their files',
  async (range) => {
    const head = `GET ${path} HTTP/1.1\r\nHost: pi\r\nCookie: ${session}\r\nRange: ${range}\r\n\r\n`
    const beforeBytes = peakBytes({ anew: true })
    const askers = await Promise.all(Array.from({ length: ASKERS }, () => begun(head)))
    const grownMib = ((await settledPeakBytes()) - beforeBytes) / MIB
    for (const { socket } of askers) socket.destroy()
    const statuses = new Set(askers.map(({ first }) => first.slice(9, 12)))
    expect(statuses).toEqual(new Set([range.startsWith('bytes=8') ? '416' : '200']))
    // one file alone has 85
    expect(grownMib).toBeLessThan(60)
  },
  30_000,
)

/** The most memory that the process held at once. */
function peakBytes({ anew = false } = {}): number {
  // proc(5): 5 sets the peak to what is held now
  if (anew) writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
  const kib = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
  return Number(kib) * 1024
}

/** The same, once a quarter of a second brought no more. */
async function settledPeakBytes(): Promise<number> {
  for (let peak = peakBytes(); ; ) {
    await Bun.sleep(250)
    const next = peakBytes()
    if (next === peak) return peak
    peak = next
  }
}

/** Asks, takes the first bytes of the answer and then nothing more. */
function begun(head: string): Promise<{ readonly socket: Socket; readonly first: string }> {
  const { hostname, port } = new URL(server.address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(head))
    socket.once('data', (bytes) => {
      socket.pause()
      resolve({ socket, first: bytes.toString('latin1') })
    })
    socket.on('error', reject)
  })
}
