import { Component, h, type ComponentChildren, type FunctionComponent } from "preact";

/** A component that is drawn again only when a prop of it, or a signal it reads, is another. */
export function memo<P extends object>(Inner: FunctionComponent<P>): FunctionComponent<P> {
  class Still extends Component<{ readonly inner: P }> {
    override shouldComponentUpdate({ inner }: { readonly inner: P }): boolean {
      const keys = Object.keys({ ...this.props.inner, ...inner }) as (keyof P)[];
      return keys.some((key) => this.props.inner[key] !== inner[key]);
    }
    override render(): ComponentChildren {
      return h(Inner, this.props.inner);
    }
  }
  return (props) => h(Still, { inner: props });
}
