import { expect, test } from 'bun:test'
import { SaxesParser } from 'saxes'
import { scanXml } from '../../../src/formats/xml/scanner.ts'
import { seededRandom } from '../../fixtures/damage.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Local names, attribute values and leaf texts in document order. */
type Events = string[]
const WORDS = ['a', 'bb', 'ccc', 'name', 'trkpt', 'x1', 'lat', 'lon']

function ourEvents(xml: string): Events {
  const events: Events = []
  scanXml(bytesOf(xml), WORDS, {
    open(name, parent, attributes) {
      const values = WORDS.map((word) => [word, attributes.string(word, 1000)]).filter(([, value]) => value !== null)
      events.push(`open ${name} in ${parent || 'document'} ${JSON.stringify(values)}`)
    },
    close(name, _parent, text) {
      events.push(`close ${name} ${JSON.stringify(text.string(1000) ?? '')}`)
    },
  })
  return events
}

function saxesEvents(xml: string): Events {
  const events: Events = []
  const stack: string[] = []
  let text = ''
  const parser = new SaxesParser({ xmlns: false, position: false })
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const values = WORDS.flatMap((word) =>
      Object.entries(attributes).flatMap(([key, value]) =>
        local(key) === word && value.trim() !== '' ? [[word, value.trim()]] : [],
      ),
    )
    events.push(`open ${local(name)} in ${stack.at(-1) ?? 'document'} ${JSON.stringify(values)}`)
    stack.push(local(name))
    text = ''
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('cdata', (piece) => {
    text += piece
  })
  parser.on('closetag', ({ name }) => {
    events.push(`close ${local(name)} ${JSON.stringify(text.trim())}`)
    stack.pop()
    text = ''
  })
  parser.write(xml).close()
  return events
}

test('500 random documents give the same elements, attributes and texts as saxes', () => {
  const random = seededRandom(11)
  const pick = <T>(of: readonly T[]): T => of[random() % of.length]!
  const plain = ['', ' ', '12.5', 'x &amp; y', '&#65;&lt;', 'é😀', '\n\t']
  const texts = [...plain, '<![CDATA[<raw> & ]]>', '<!-- note - -->', '<?pi > ?>']
  const element = (depth: number): string => {
    const name = `${pick(['', 'p:', 'ns3:'])}${pick(WORDS)}`
    const attributes = WORDS.filter(() => random() % 5 === 0).map((word) => {
      const quote = pick(['"', "'"])
      return `${pick([' ', '\n'])}${word}${pick(['=', ' = '])}${quote}${pick(['1', 'a>b', '&quot;q&quot;', ' é ', ''])}${quote}`
    })
    if (random() % 6 === 0) return `<${name}${attributes.join('')}${pick(['', ' '])}/>`
    const children = depth > 5 ? 0 : random() % 4
    const inner = Array.from({ length: children }, () => `${pick(texts)}${element(depth + 1)}`).join('')
    return `<${name}${attributes.join('')}>${inner}${pick(texts)}${pick(texts)}</${name}${pick(['', ' '])}>`
  }
  for (let i = 0; i < 500; i++) {
    const xml = `<?xml version="1.0"?>${element(0)}`
    expect(ourEvents(xml)).toEqual(saxesEvents(xml))
  }
})
