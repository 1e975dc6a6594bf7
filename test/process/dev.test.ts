import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DEV = join(import.meta.dir, '../../build/dev.ts')

test('bun run dev starts the program again when a file below it changes, also one that it does not import', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-dev-'))
  mkdirSync(join(folder, 'web'))
  const main = join(folder, 'main.ts')
  const says = (word: string) => `process.once('SIGTERM', () => { console.log('bye ${word}'); process.exit(0) })
    console.log('here is ${word}')
    setInterval(() => {}, 1000)`
  await Bun.write(main, says('one'))
  await Bun.write(join(folder, 'web/page.tsx'), 'a')
  const dev = Bun.spawn([process.execPath, DEV, main], { stdout: 'pipe', stderr: 'inherit' })
  try {
    const lines = linesOf(dev.stdout)
    expect(await lines.next()).toBe('here is one')
    await Bun.write(join(folder, 'web/page.tsx'), 'b')
    expect([await lines.next(), await lines.next()]).toEqual(['bye one', 'here is one'])
    await Bun.write(main, 'this is no program')
    expect(await lines.next()).toBe('bye one')
    await Bun.write(main, says('two'))
    expect(await lines.next()).toBe('here is two')
    dev.kill('SIGTERM')
    expect(await lines.next()).toBe('bye two')
    expect(await dev.exited).toBe(0)
  } finally {
    dev.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Line after line; null at the end. */
function linesOf(stream: ReadableStream<Uint8Array>): { next(): Promise<string | null> } {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let left = ''
  return {
    next: async () => {
      for (;;) {
        const at = left.indexOf('\n')
        if (at !== -1) {
          const line = left.slice(0, at)
          left = left.slice(at + 1)
          return line
        }
        const { done, value } = await reader.read()
        if (done) return null
        left += decoder.decode(value, { stream: true })
      }
    },
  }
}
