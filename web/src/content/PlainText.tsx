/** A text as it was sent, its lines kept. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <div class="plain-text" dir="auto">
      {text}
    </div>
  );
}
