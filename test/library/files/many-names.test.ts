import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { link } from 'node:fs/promises'
import { join } from 'node:path'
import { placeLink } from '../../../src/library/files/paths.ts'
import { tempFolder } from '../../temp-folder.ts'

const folder = tempFolder()
const upload = join(folder, 'upload')
writeFileSync(upload, 'a run', { mode: 0o600 })

/** A file system that gives a file two names at most, as ext4 gives it 65,000. */
async function twoNames(existing: string, path: string): Promise<void> {
  if (statSync(existing).nlink >= 2) throw Object.assign(new Error('too many links'), { code: 'EMLINK' })
  await link(existing, path)
}

test('a file that can have no more names is copied; another failure is reported and leaves nothing', async () => {
  const names = ['a', 'b', 'c']
  for (const name of names) await placeLink(upload, join(folder, name), twoNames)
  const placed = names.map((name) => statSync(join(folder, name))).map(({ nlink, mode }) => [nlink, mode & 0o777])
  expect(placed).toEqual([2, 1, 1].map((nlink) => [nlink, 0o600]))
  expect(readFileSync(join(folder, 'c'), 'utf8')).toBe('a run')
  await expect(placeLink(join(folder, 'none'), join(folder, 'd'), twoNames)).rejects.toThrow('ENOENT')
  expect(readdirSync(folder).toSorted()).toEqual([...names, 'upload'])
})
