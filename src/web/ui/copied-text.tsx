import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'

interface CopiedTextProps {
  /** Id of the element. */
  readonly id: string
  readonly value: string
  /** Further buttons. */
  readonly children?: ComponentChildren
}

/** An address or a key that can be copied. */
export function CopiedText({ id, value, children }: CopiedTextProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      // without https there is no clipboard access, so the text is selected for copying by hand
      const element = document.getElementById(id)
      if (element !== null) getSelection()?.selectAllChildren(element)
    }
  }
  return (
    <>
      <code class="new-key small breaks" id={id}>
        {value}
      </code>
      <div class={children === undefined ? 'actions start' : 'actions'}>
        <Button icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        {children}
      </div>
    </>
  )
}
