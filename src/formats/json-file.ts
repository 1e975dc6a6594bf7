import { FormatError } from './format.ts'
import {
  eachElement,
  eachMember,
  endOfNested,
  inside,
  isList,
  type Members,
  membersOf,
  type Place,
} from './json-bytes.ts'

/** Longer values are not parsed, since real ones are short. */
const LONGEST_VALUE = 1024 * 1024

/** Lists by their path in an object, such as `samples.heartRate`, each with what takes its elements. */
type Takers = Readonly<Record<string, (element: Place) => void>>

/**
 * A JSON file of a service. Lists of samples are passed on element by element, since half a million objects would take
 * 100 MB; all else that is not long becomes values.
 */
export class JsonFile {
  readonly #bytes: Uint8Array
  readonly #service: string

  /** @param service its name in messages */
  constructor(bytes: Uint8Array, service: string) {
    this.#bytes = bytes
    this.#service = service
  }

  /** The outermost object or list. @throws FormatError when it is cut */
  root(): Place {
    const start = this.#bytes.findIndex((byte) => byte === 0x7b || byte === 0x5b)
    const end = start < 0 ? null : endOfNested(this.#bytes, start)
    return end === null ? this.damaged() : { start, end }
  }

  /** The members of an object, without the elements of the lists that are taken. @throws FormatError when damaged */
  members(object: Place, takers: Takers = {}): Members {
    return membersOf(this.#value(object, '', takers))
  }

  /** Passes on the elements of a list. @throws FormatError when one is neither an object nor a list */
  elements(list: Place, take: (element: Place) => void): void {
    const isWhole = eachElement(this.#bytes, inside(list), take)
    if (!isWhole) this.damaged()
  }

  isList(place: Place): boolean {
    return isList(this.#bytes, place)
  }

  damaged(cause?: unknown): never {
    throw new FormatError(`The ${this.#service} file is cut or damaged`, { cause })
  }

  /** Only objects that hold a taken list are read member by member. */
  #value(place: Place, path: string, takers: Takers): unknown {
    const take = takers[path]
    if (this.isList(place) && take !== undefined) {
      this.elements(place, take)
      return []
    }
    const below = path === '' ? '' : `${path}.`
    const holdsTaken = Object.keys(takers).some((taken) => taken.startsWith(below))
    return holdsTaken && !this.isList(place) ? this.#object(place, below, takers) : this.#parsed(place)
  }

  #object(place: Place, below: string, takers: Takers): Members {
    const found: Record<string, unknown> = {}
    const isWhole = eachMember(this.#bytes, inside(place), (name, value) => {
      found[name] = this.#value(value, `${below}${name}`, takers)
      return true
    })
    return isWhole ? found : this.damaged()
  }

  #parsed({ start, end }: Place): unknown {
    if (end - start > LONGEST_VALUE) return null
    try {
      return JSON.parse(new TextDecoder().decode(this.#bytes.subarray(start, end)))
    } catch (error) {
      return this.damaged(error)
    }
  }
}

/** The beginning of a JSON object as text; null: it is none. */
export function jsonObjectHead(head: Uint8Array): string | null {
  const text = new TextDecoder().decode(head).trimStart()
  return text.startsWith('{') ? text : null
}
