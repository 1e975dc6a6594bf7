// Records what this code answers of a library (README.md): bun test/library/net/make.ts [0008 | 0024]
import { writeFileSync } from 'node:fs'
import { answered, answersPath, everyCall, type Recorded, waysBack } from './answers.ts'
import { LIBRARIES, type Library, opened, settled } from './library.ts'

async function record(library: Library): Promise<void> {
  await using app = await opened(LIBRARIES[library])
  await settled(app)
  const answers: Recorded[] = []
  const calls = [...(await everyCall(app)), ...(await waysBack(app))]
  for (const call of calls) answers.push(await answered(app, call))
  const text = JSON.stringify(answers)
  const bytes = Bun.zstdCompressSync(text, { level: 22 })
  writeFileSync(answersPath(library), bytes)
  console.log(`${answers.length} answers of ${library}: ${text.length} bytes, packed ${bytes.length}`)
  const failed = answers.filter(({ status }) => status >= 500)
  if (failed.length > 0) throw new Error(`${failed.length} fail, such as ${failed[0]!.call}`)
}

const [library] = process.argv.slice(2)
for (const each of library ? [library] : Object.keys(LIBRARIES)) await record(each as Library)
