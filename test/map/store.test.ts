import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tileStore } from '../../src/map/store.ts'

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
