"""The usual commands: `nox -l` lists them. They use the environment that nox runs in, so nothing is installed twice."""

import sys

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["quick", "lint"]


@nox.session
def quick(session: nox.Session) -> None:
    """Run the tests that need no process, git, index or model."""
    session.run(sys.executable, "-m", "pytest", "-m", "quick", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the whole suite, or what stands behind `--`."""
    session.run(sys.executable, "-m", "pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Run ruff, mypy and import-linter."""
    session.run(sys.executable, "-m", "ruff", "check", ".")
    session.run(sys.executable, "-m", "ruff", "format", "--check", ".")
    session.run(sys.executable, "-m", "mypy")
    session.run("lint-imports", external=True)


@nox.session(name="format")
def format_code(session: nox.Session) -> None:
    """Format the code and sort its imports."""
    session.run(sys.executable, "-m", "ruff", "check", "--fix", "--select", "I", ".")
    session.run(sys.executable, "-m", "ruff", "format", ".")


@nox.session
def docs(session: nox.Session) -> None:
    """Write the generated pages and the transcripts of the docs anew."""
    session.run(sys.executable, "-m", "tests.docs")


@nox.session
def site(session: nox.Session) -> None:
    """Build the site into site/."""
    session.run(".ci/site", external=True)


@nox.session
def build(session: nox.Session) -> None:
    """Build wheel and sdist twice and compare them."""
    session.run(".ci/build", external=True)
