import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run-command.ts'

/** Reads an installation; it is no dependency of the project. */
const TOOL = '@cyclonedx/cyclonedx-npm@6.0.1'
/** Of src/http/swagger-ui, a copy of two files. */
const SWAGGER_UI = '5.35.0'

interface Component {
  readonly 'bom-ref'?: string
  readonly name: string
}
interface Bom {
  readonly metadata: { readonly tools: { components: Component[] } } & Record<string, unknown>
  readonly components: Component[]
}

/**
 * CycloneDX 1.6 of what a release contains: the production packages, and what no tool sees, Bun itself and the page of
 * the API.
 */
export function makeSbom({ root, work, version }: { root: string; work: string; version: string }): string {
  const folder = join(work, 'production')
  mkdirSync(folder)
  for (const file of ['package.json', 'bun.lock', 'bunfig.toml']) copyFileSync(join(root, file), join(folder, file))
  run([process.execPath, 'install', '--frozen-lockfile', '--production', '--omit=peer', '--silent'], folder)
  const out = join(work, 'sbom.json')
  const asked = [
    '--spec-version',
    '1.6',
    '--output-reproducible',
    '--omit',
    'dev',
    '--omit',
    'peer',
    '--output-file',
    out,
  ]
  // peers are missing on purpose, which npm calls an error
  run(['npx', '-y', TOOL, ...asked, '--ignore-npm-errors'], folder)
  return completed(JSON.parse(readFileSync(out, 'utf8')), version)
}

/** Without the version of npm, which is the machine's, and with what is not installed as a package. */
export function completed(bom: Bom, version: string): string {
  const { tools } = bom.metadata
  tools.components = tools.components.filter(({ name }) => name !== 'npm')
  bom.components.push(
    part('bun', Bun.version, { license: 'MIT', purl: `pkg:github/oven-sh/bun@bun-v${Bun.version}` }),
    part('swagger-ui-dist', SWAGGER_UI, { license: 'Apache-2.0', purl: `pkg:npm/swagger-ui-dist@${SWAGGER_UI}` }),
  )
  bom.components.sort((a, b) => (a.name < b.name ? -1 : 1))
  return `${JSON.stringify({ ...bom, metadata: { ...bom.metadata, properties: [{ name: 'harrier:version', value: version }] } }, null, 2)}\n`
}

function part(name: string, version: string, { license, purl }: { license: string; purl: string }) {
  return { type: 'library', name, version, licenses: [{ license: { id: license } }], purl, 'bom-ref': purl }
}
