import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { link } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placeLink } from '../../../src/library/files/paths.ts'

let folder: string
let upload: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'harrier-names-'))
  upload = join(folder, 'upload')
  writeFileSync(upload, 'a run', { mode: 0o600 })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A file system that gives a file two names at most, as ext4 gives it 65,000. */
async function twoNames(existing: string, path: string): Promise<void> {
  if (statSync(existing).nlink >= 2) throw Object.assign(new Error('too many links'), { code: 'EMLINK' })
  await link(existing, path)
}

test('a file that can have no more names is copied', async () => {
  for (const name of ['a', 'b', 'c']) await placeLink(upload, join(folder, name), twoNames)
  expect(readdirSync(folder).toSorted()).toEqual(['a', 'b', 'c', 'upload'])
  const placed = ['a', 'b', 'c'].map((name) => statSync(join(folder, name)))
  expect(placed.map(({ nlink, mode }) => [nlink, mode & 0o777])).toEqual([
    [2, 0o600],
    [1, 0o600],
    [1, 0o600],
  ])
  expect(readFileSync(join(folder, 'c'), 'utf8')).toBe('a run')
})

test('another failure is reported and leaves nothing', async () => {
  const lost = placeLink(join(folder, 'none'), join(folder, 'd'), twoNames)
  await expect(lost).rejects.toThrow('ENOENT')
  expect(readdirSync(folder)).not.toContain('d')
})
