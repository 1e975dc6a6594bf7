import { LENGTHS } from '../../../base/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLine } from '../use-line.ts'

interface CaptionLineProps {
  readonly caption: string | null
  /** Stores it; resolves to an error message, or null. */
  readonly onSave: (caption: string | null) => Promise<string | null>
}

/** The caption of a picture, edited in place. */
export function CaptionLine({ caption, onSave }: CaptionLineProps) {
  const { isOpen, failure, button, input, onSubmit } = useLine(caption, onSave)
  if (!isOpen) {
    return (
      <p class="lightbox-caption">
        <button type="button" {...button}>
          {caption ?? <span class="caption-none">Add a caption</span>}
          <Icon name="edit" />
          {caption !== null && <span class="hidden-text"> – edit caption</span>}
        </button>
      </p>
    )
  }
  return (
    <form class="lightbox-caption" onSubmit={onSubmit}>
      <input
        {...input}
        aria-label="Caption"
        placeholder="Caption"
        maxLength={LENGTHS.caption}
        onKeyDown={(event) => {
          // arrow keys move within the text, not to the next picture
          event.stopPropagation()
          input.onKeyDown(event)
        }}
      />
      {failure !== null && <span role="alert">{failure}</span>}
    </form>
  )
}
