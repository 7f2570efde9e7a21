import Foundation

/// The official client of the Model Context Protocol, of the package mcp in PyPI: it makes forty calls with a handshake and
/// without, and checks each result against the schema of its tool.
public enum OfficialClient {
  public static let python: String? = program("python")
  /// Of jbt-mcpcheck, which judges a server of the revision 2026-07-28.
  public static let checker: String? = program("mcpcheck")

  private static func program(_ name: String) -> String? {
    let folder = ProcessInfo.processInfo.environment["ALMANAC_PYTHON_TOOLS"] ?? "/usr/local/lib/almanac-python-tools"
    let path = "\(folder)-mcp/bin/\(name)"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  public static let isMissing: String = "mcp and jbt-mcpcheck of PyPI are missing; .ci/install-tools installs them"

  /// What the script prints: the revision and the number of calls, for each.
  public static let answer = "2025-11-25 40\n2026-07-28 40\n"

  /// A program in Python, over the demo's store. Its arguments are the program and the store, or an address and a token.
  public static let script = """
    import asyncio, contextlib, json, sys
    import httpx2
    from mcp import StdioServerParameters
    from mcp.client import Client
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    CHART = {"chart": "app-store/us/top-paid"}
    CALLS = [
        ("collections", {}), ("search", {"words": "quill"}), ("search", {"words": "ada", "in": ["people"]}),
        ("list", {"collection": "people", "where": ["birthday ~ -12-"], "columns": ["fullName"]}),
        ("list", {"collection": "apps", "sort": "-price.amount", "limit": 2}),
        ("show", {"collection": "people", "record": "Tove Lindqvist"}), ("birthdays", {"days": 60}),
        ("history", {"collection": "people", "record": "Tove Lindqvist"}),
        ("chart_top", CHART), ("chart_movers", {**CHART, "since": "1d"}), ("chart_history", {"app": "Procrux"}),
        ("prices", {}), ("changes", {"limit": 5}), ("status", {}), ("outbox", {}),
        ("list", {"collection": "photos", "limit": 3}), ("list", {"collection": "profiles"}),
        ("list", {"collection": "people", "sort": "-fullName", "limit": 5}),
        ("search", {"words": "lindqvist", "in": ["people", "profiles"]}),
        ("show", {"collection": "profiles", "record": "ada"}), ("birthdays", {}), ("chart_top", {**CHART, "limit": 3}),
        ("chart_movers", CHART), ("changes", {"collection": "people", "limit": 3}),
        ("propose_edit", {"collection": "profiles", "record": "ada", "fields": {"name": "Ada King"}}),
        ("propose_person", {"fields": {"firstName": "Ada", "lastName": "Lovelace"}}),
        ("propose_removal", {"collection": "people", "record": "Tove Lindqvist"}),
    ]

    # PROGRAM and STORE, or URL and TOKEN
    @contextlib.asynccontextmanager
    async def connected(mode):
        (place, secret) = sys.argv[1:]
        if not place.startswith("http"):
            server = StdioServerParameters(command=place, args=["mcp"], env={"ALMANAC_STORE": secret})
            async with Client(stdio_client(server), mode=mode) as client:
                yield client
        else:
            async with httpx2.AsyncClient(headers={"Authorization": "Bearer " + secret}) as http:
                async with Client(streamable_http_client(place, http_client=http), mode=mode) as client:
                    yield client

    async def main(mode):
        jobs = 0
        async with connected(mode) as client:
            tools = (await client.list_tools()).tools
            assert all(tool.annotations.read_only_hint for tool in tools if not tool.name.startswith("propose"))
            for name, arguments in CALLS:
                # The client checks the result against the schema of the tool.
                result = await client.call_tool(name, arguments)
                assert not result.is_error, (name, result.content)
                assert json.loads(result.content[-1].text) == result.structured_content, name
                jobs += 1
            wrong = await client.call_tool("list", {"collection": "peopel"})
            assert wrong.is_error and "did you mean 'people'" in wrong.content[0].text
            resources = (await client.list_resources()).resources
            templates = (await client.list_resource_templates()).resource_templates
            assert len(resources) == len(templates) > 3
            for resource in resources:
                await client.read_resource(str(resource.uri))
                jobs += 1
            for prompt in (await client.list_prompts()).prompts:
                assert (await client.get_prompt(prompt.name)).messages
                jobs += 1
            print(client.protocol_version, jobs)

    for mode in ["legacy", "auto"]:
        asyncio.run(main(mode))

    """

  /// A program in Python whose user approves, declines, closes the question, and answers no, with a handshake and without. Its
  /// arguments are the program, the store with a person 'p1', and the config file; it prints the states of the proposals.
  public static let asking = """
    import asyncio, sys
    from mcp import StdioServerParameters
    from mcp.client import Client
    from mcp.client.stdio import stdio_client
    from mcp_types import ElicitResult

    ANSWERS = [("accept", {"approve": True}), ("decline", None), ("cancel", None), ("accept", {"approve": False})]

    async def main(mode):
        (place, store, config) = sys.argv[1:]
        answers = iter(ANSWERS)
        async def ask(context, params):
            assert params.message.endswith("→ " + wanted), params.message
            (action, content) = next(answers)
            return ElicitResult(action=action, content=content)
        server = StdioServerParameters(command=place, args=["mcp"], env={"ALMANAC_STORE": store, "ALMANAC_CONFIG": config})
        async with Client(stdio_client(server), mode=mode, elicitation_callback=ask) as client:
            states = []
            for number in range(len(ANSWERS)):
                wanted = f"{mode} {number}"
                fields = {"collection": "people", "record": "p1", "fields": {"lastName": wanted}}
                result = await client.call_tool("propose_edit", fields)
                assert not result.is_error, result.content
                states.append(result.structured_content["proposal"]["state"])
            removal = await client.call_tool("propose_removal", {"collection": "people", "record": "p1"})
            states.append(removal.structured_content["proposal"]["state"])
            print(client.protocol_version, *states)

    for mode in ["legacy", "auto"]:
        asyncio.run(main(mode))

    """
}
