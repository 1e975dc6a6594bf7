import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TileError, tileServer } from '../../src/map/client.ts'
import { tileStore } from '../../src/map/store.ts'
import { png } from '../fixtures/media.ts'
import { fakeTileServer, pictureOf } from './tile-server.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'harrier-tiles-'))
  mkdirSync(join(dataDir, 'tmp'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const config = () => ({ dataDir, tilesUrl: 'http://127.0.0.1:1/{z}/{x}/{y}' })
const tile = (x: number) => ({ z: 9, x, y: 0 })

test('the tiles that were got longest ago make room, and those touched since stay', async () => {
  const store = tileStore(config(), 1000)
  for (let x = 0; x < 9; x += 1) await store.save(tile(x), new Uint8Array(100).fill(x + 1), 1_000_000 + x * 1000)
  await store.touch(tile(0), 2_000_000)
  // 1,100 bytes, of which nine tenths of 1,000 stay
  await store.save(tile(9), new Uint8Array(200).fill(1), 3_000_000)
  const kept = await Promise.all(Array.from({ length: 10 }, async (_, x) => (await store.find(tile(x))) !== null))
  expect(kept).toEqual([true, false, false, true, true, true, true, true, true, true])
  expect((await store.find(tile(0)))?.atMs).toBe(2_000_000)
})

test('what is on the disk already counts, and one tile saved twice counts once', async () => {
  const before = tileStore(config(), 1000)
  for (let x = 0; x < 5; x += 1) await before.save(tile(x), new Uint8Array(150).fill(1), 1_000_000 + x * 1000)
  const store = tileStore(config(), 950)
  // 900 bytes in fact: more than the nine tenths that would be kept, had the limit been passed
  for (let n = 0; n < 5; n += 1) await store.save(tile(9), new Uint8Array(150).fill(1), 2_000_000)
  expect(await store.find(tile(0))).not.toBeNull()
  await store.save(tile(10), new Uint8Array(150).fill(1), 2_000_000)
  expect(await store.find(tile(0))).toBeNull()
  expect(await store.find(tile(10))).not.toBeNull()
})

test('parallel saves of one tile leave one whole file and no draft', async () => {
  const store = tileStore(config(), 1000)
  await Promise.all([1, 2, 3].map((value) => store.save(tile(1), new Uint8Array(50).fill(value), 1_000_000)))
  expect((await store.find(tile(1)))?.bytes).toEqual(new Uint8Array(50).fill(3))
  expect(readdirSync(join(dataDir, 'tmp'))).toEqual([])
})

test('a server that does not answer in time is given up', async () => {
  using server = fakeTileServer()
  const givenUp = Promise.withResolvers<void>()
  server.answer = async () => {
    await givenUp.promise
    return pictureOf(png())
  }
  const client = tileServer({ tilesUrl: server.template }, 40)
  const asked = client.tile(tile(1), { sinceMs: null, signal: new AbortController().signal })
  await expect(asked).rejects.toThrow(new TileError('no answer (TimeoutError)'))
  givenUp.resolve()
})
