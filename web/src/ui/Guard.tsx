import { Component, type ComponentChildren } from "preact";

interface Props {
  readonly fallback: (error: unknown, again: () => void) => ComponentChildren;
  readonly children: ComponentChildren;
}

/** Keeps a fault in one part from taking the page down with it. */
export class Guard extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return this.props.fallback(this.state.error, () => this.setState({ error: undefined }));
  }
}
