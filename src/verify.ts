// bun run verify <file>: reads a whole archive and tells whether it could be restored; nothing is written.
import { verifyArchive } from './archive/verify.ts'

if (import.meta.main) {
  const [path] = process.argv.slice(2)
  try {
    if (path === undefined) throw new Error('Usage: bun run verify <file>')
    const { summary, problems } = await verifyArchive(path)
    for (const problem of problems) process.stderr.write(`${problem}\n`)
    process.stdout.write(`${path}: ${summary}${problems.length === 0 ? '' : `, ${problems.length} problems`}\n`)
    if (problems.length > 0) process.exitCode = 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
