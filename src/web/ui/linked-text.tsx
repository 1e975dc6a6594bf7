const ADDRESS = /https?:\/\/[^\s<>"']+/g
/** Ends a sentence, not an address; a closing bracket belongs to an address that has an opening one. */
const AFTER = /(?:[.,;:!?…]|(?<!\([^()]*)\))+$/

/** A text whose addresses are links. Other schemes than http and https stay text. */
export function LinkedText({ text }: { readonly text: string }) {
  const pieces = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const href = found.replace(AFTER, '')
    pieces.push(
      text.slice(at, index),
      <a key={index} href={href} target="_blank" rel="noopener noreferrer">
        {href}
      </a>,
    )
    at = index + href.length
  }
  return <>{[...pieces, text.slice(at)]}</>
}
