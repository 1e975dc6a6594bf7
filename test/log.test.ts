import { expect, test } from 'bun:test'
import { consoleLog } from '../src/base/log.ts'

const LOG = new URL('../src/base/log.ts', import.meta.url).pathname

test('a process continues when its standard error is closed', async () => {
  const program = `
    const { consoleLog } = await import(${JSON.stringify(LOG)})
    const log = consoleLog('info')
    for (let line = 0; line < 10; line += 1) {
      log.info('a line')
      await Bun.sleep(20)
    }
    console.log('came to its end')`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' })
  const reader = child.stderr.getReader()
  await reader.read()
  await reader.cancel()
  expect(await new Response(child.stdout).text()).toBe('came to its end\n')
  expect(await child.exited).toBe(0)
})

test('a line has no characters that move the cursor, break the line or reverse the order of letters', () => {
  const lines: string[] = []
  const error = Object.assign(new Error(), { stack: 'Error: \u001b[2J\u202ename\n\tat one' })
  consoleLog('info', { write: (line) => lines.push(line) }).error('No \u001b[31mfile\n\u202e.fit\u0085', error)
  expect(lines[0]!.slice(lines[0]!.indexOf(' '))).toBe(' error No [31mfile.fit\nError: [2Jname\n\tat one\n')
})
