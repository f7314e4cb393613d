require "json"
require "sinatra"

set :bind, "127.0.0.1"
set :port, ARGV.fetch(0).to_i
set :environment, :production

get "/weather/:city" do
  content_type :json
  { city: params["city"], tempC: 19 }.to_json
end
